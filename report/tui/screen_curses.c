/* SPDX-License-Identifier: MIT */
/*
 * The screen of a terminal, by ncursesw: the one file that knows it. Curses keeps its state in
 * globals; so do the handlers of signals here, which must put the terminal in order.
 */
#include "report/tui/screen_curses.h"

#include <ncursesw/curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <ncursesw/term.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

struct screen_curses {
	struct screen screen;
	SCREEN *term;
	FILE *tty;
	bool color;
	attr_t attrs[NR_STYLES];
	bool is_buffered; /* ncurses writes a screen in one piece */
};

static const int ending[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };
static const int crashing[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTRAP };

/* What the handlers need of the one screen that is open. */
static struct {
	volatile sig_atomic_t signal; /* that ends the process; 0: none has come */
	volatile sig_atomic_t resized;
	int fd;
	struct termios sane;
	char reset[128]; /* ends the alternate screen and shows the cursor */
	struct sigaction old[NSIG];
} now;

static struct screen_curses *curses_of(struct screen *s)
{
	return (struct screen_curses *)(uintptr_t)s;
}

/* ---- signals */

static void on_end(int sig)
{
	now.signal = sig;
}

static void on_resize(int sig)
{
	(void)sig;
	now.resized = 1;
}

/* A crash: curses cannot be called, so the terminal is put in order by what was noted at the start.
 */
static void on_crash(int sig)
{
	ssize_t n = write(now.fd, now.reset, strlen(now.reset));

	(void)n;
	tcsetattr(now.fd, TCSANOW, &now.sane);
	sigaction(sig, &now.old[sig], NULL);
	raise(sig);
}

static void catch (int sig, void (*handler)(int))
{
	/* no SA_RESTART: the wait for a key must end */
	struct sigaction sa = { .sa_handler = handler };

	sigaction(sig, &sa, &now.old[sig]);
}

static void catch_signals(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		catch (ending[i], on_end);
	for (size_t i = 0; i < ARRAY_SIZE(crashing); i++)
		catch (crashing[i], on_crash);
	catch (SIGWINCH, on_resize);
}

static void release_signals(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaction(ending[i], &now.old[ending[i]], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(crashing); i++)
		sigaction(crashing[i], &now.old[crashing[i]], NULL);
	sigaction(SIGWINCH, &now.old[SIGWINCH], NULL);
}

/* Strings of the terminal's description without the delays that only tputs() understands. */
static void note_reset(const char *name)
{
	const char *s = tigetstr(name);
	size_t len = strlen(now.reset);

	if (!s || s == (char *)-1)
		return;
	for (; *s && len + 1 < sizeof(now.reset); s++) {
		if (s[0] == '$' && s[1] == '<') {
			s = strchr(s, '>');
			if (!s)
				break;
			continue;
		}
		now.reset[len++] = *s;
	}
	now.reset[len] = '\0';
}

/* ---- colours */

static void set_pair(struct screen_curses *c, enum screen_style style, short fg, short bg)
{
	init_pair((short)(style + 1), fg, bg);
	c->attrs[style] = COLOR_PAIR(style + 1);
}

static void set_flame_colors(struct screen_curses *c)
{
	static const struct {
		short color, of_eight;
	} colors[STYLE_FLAME_END - STYLE_FLAME] = {
		{ 202, COLOR_RED },     { 208, COLOR_YELLOW }, { 214, COLOR_RED },
		{ 220, COLOR_YELLOW },  { 203, COLOR_RED },    { 209, COLOR_YELLOW },
		{ 215, COLOR_RED },     { 221, COLOR_YELLOW }, { 71, COLOR_GREEN },
		{ 108, COLOR_CYAN },    { 114, COLOR_GREEN },  { 150, COLOR_CYAN },
		{ 140, COLOR_MAGENTA }, { 146, COLOR_CYAN },   { 176, COLOR_MAGENTA },
		{ 182, COLOR_CYAN },    { 250, COLOR_WHITE },  { 245, COLOR_WHITE },
	};

	for (int i = 0; i < STYLE_FLAME_END - STYLE_FLAME; i++) {
		short color = COLORS >= 256 ? colors[i].color : colors[i].of_eight;

		set_pair(c, (enum screen_style)(STYLE_FLAME + i), COLOR_BLACK, color);
		set_pair(c, (enum screen_style)(STYLE_FLAME_REST + i), color, -1);
	}
}

static void set_colors(struct screen_curses *c)
{
	start_color();
	use_default_colors();
	set_pair(c, STYLE_TITLE, COLOR_WHITE, COLOR_BLUE);
	set_pair(c, STYLE_HEAD, COLOR_WHITE, COLOR_BLUE);
	set_pair(c, STYLE_HOT, COLOR_RED, -1);
	set_pair(c, STYLE_WARM, COLOR_GREEN, -1);
	set_pair(c, STYLE_CURSOR, COLOR_BLACK, COLOR_YELLOW);
	set_pair(c, STYLE_MATCH, COLOR_BLACK, COLOR_CYAN);
	set_pair(c, STYLE_BAR, COLOR_WHITE, COLOR_BLUE);
	set_pair(c, STYLE_KEY, COLOR_YELLOW, COLOR_BLUE);
	set_pair(c, STYLE_ERROR, COLOR_WHITE, COLOR_RED);
	set_pair(c, STYLE_ARROW, COLOR_CYAN, -1);
	c->attrs[STYLE_KEY] |= A_BOLD;
	c->attrs[STYLE_DIM] = A_DIM;
	set_flame_colors(c);
	set_pair(c, STYLE_FLAME_CURSOR, COLOR_WHITE, COLOR_BLUE);
	c->attrs[STYLE_FLAME_CURSOR] |= A_BOLD;
}

static void set_styles(struct screen_curses *c)
{
	static const attr_t plain[NR_STYLES] = {
		[STYLE_TITLE] = A_REVERSE,
		[STYLE_HEAD] = A_BOLD,
		[STYLE_HOT] = A_BOLD,
		[STYLE_CURSOR] = A_REVERSE,
		[STYLE_MATCH] = A_UNDERLINE,
		[STYLE_BAR] = A_REVERSE,
		[STYLE_KEY] = A_REVERSE | A_BOLD,
		[STYLE_ERROR] = A_REVERSE | A_BOLD,
		[STYLE_FLAME_CURSOR] = A_REVERSE,
		[STYLE_ARROW] = A_BOLD,
	};

	memcpy(c->attrs, plain, sizeof(plain));
	c->screen.color = c->color && has_colors();
	if (c->screen.color)
		set_colors(c);
}

/* ---- the screen */

static void curses_clear(struct screen *s)
{
	struct winsize w;

	if (now.resized) {
		now.resized = 0;
		if (!ioctl(now.fd, TIOCGWINSZ, &w) && w.ws_row && w.ws_col)
			resizeterm(w.ws_row, w.ws_col);
	}
	erase();
	getmaxyx(stdscr, s->rows, s->cols);
}

static void curses_put(struct screen *s, int row, int col, enum screen_style style,
		       const char *text, size_t n)
{
	attrset(curses_of(s)->attrs[style]);
	mvaddnstr(row, col, text, (int)n);
}

static void curses_flush(struct screen *s)
{
	struct screen_curses *c = curses_of(s);

	/*
	 * Until endwin() was called once, ncurses 6 writes to the terminal after each move of the
	 * cursor: 200 times for a screen. refresh() takes the terminal again at once.
	 */
	if (!c->is_buffered)
		endwin();
	c->is_buffered = true;
	move(s->rows - 1, s->cols - 1);
	refresh();
}

static int mouse_key(struct screen *s)
{
	MEVENT m;

	if (getmouse(&m) != OK)
		return TKEY_NONE;
	s->click_row = m.y;
	s->click_col = m.x;
	if (m.bstate & BUTTON4_PRESSED)
		return TKEY_WHEEL_UP;
	if (m.bstate & BUTTON5_PRESSED)
		return TKEY_WHEEL_DOWN;
	if (m.bstate & BUTTON1_DOUBLE_CLICKED)
		return TKEY_DOUBLE_CLICK;
	if (m.bstate & BUTTON1_RELEASED)
		return TKEY_DRAG;
	return m.bstate & (BUTTON1_CLICKED | BUTTON1_PRESSED) ? TKEY_CLICK : TKEY_NONE;
}

static int function_key(struct screen *s, wint_t ch)
{
	static const struct {
		wint_t from;
		int to;
	} keys[] = {
		{ KEY_UP, TKEY_ARROW_UP },     { KEY_DOWN, TKEY_ARROW_DOWN },
		{ KEY_LEFT, TKEY_ARROW_LEFT }, { KEY_RIGHT, TKEY_ARROW_RIGHT },
		{ KEY_PPAGE, TKEY_PAGE_UP },   { KEY_NPAGE, TKEY_PAGE_DOWN },
		{ KEY_HOME, TKEY_TO_START },   { KEY_END, TKEY_TO_END },
		{ KEY_FIND, TKEY_TO_START },   { KEY_SELECT, TKEY_TO_END },
		{ KEY_BTAB, TKEY_BACK_TAB },   { KEY_BACKSPACE, TKEY_ERASE },
		{ KEY_ENTER, TKEY_RETURN },    { KEY_RESIZE, TKEY_RESIZED },
	};

	if (ch == KEY_MOUSE)
		return mouse_key(s);
	if (ch >= KEY_F(1) && ch <= KEY_F(12))
		return TKEY_FUNCTION_1 + (int)(ch - KEY_F(1));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].from == ch)
			return keys[i].to;
	return TKEY_NONE;
}

static int curses_key(struct screen *s, int timeout_ms)
{
	wint_t ch = 0;
	int kind;

	if (now.signal)
		return TKEY_GONE;
	if (now.resized)
		return TKEY_RESIZED;
	timeout(timeout_ms);
	kind = get_wch(&ch);
	if (now.signal)
		return TKEY_GONE;
	if (now.resized)
		return TKEY_RESIZED;
	if (kind == KEY_CODE_YES)
		return function_key(s, ch);
	if (kind == ERR)
		return feof(curses_of(s)->tty) || tcgetpgrp(now.fd) < 0 ? TKEY_GONE : TKEY_NONE;
	if (ch == '\n')
		return TKEY_RETURN;
	return ch == 127 || ch == 8 ? TKEY_ERASE : (int)ch;
}

/* OSC 52, which terminals that know it obey; others take no notice. */
static void curses_copy(struct screen *s, const char *text, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	FILE *f = curses_of(s)->tty;

	fputs("\033]52;c;", f);
	for (size_t i = 0; i < n; i += 3) {
		u32 v = (u32)(u8)text[i] << 16;

		v |= i + 1 < n ? (u32)(u8)text[i + 1] << 8 : 0;
		v |= i + 2 < n ? (u32)(u8)text[i + 2] : 0;
		fputc(digits[v >> 18], f);
		fputc(digits[v >> 12 & 63], f);
		fputc(i + 1 < n ? digits[v >> 6 & 63] : '=', f);
		fputc(i + 2 < n ? digits[v & 63] : '=', f);
	}
	fputc('\a', f);
	fflush(f);
}

static void curses_close(struct screen *s)
{
	struct screen_curses *c = curses_of(s);
	int sig = now.signal;

	endwin();
	delscreen(c->term);
	release_signals();
	fclose(c->tty);
	free(c);
	if (sig) /* its own action follows, which ends the process */
		raise(sig);
}

static const struct screen_ops curses_ops = {
	.clear = curses_clear,
	.put = curses_put,
	.flush = curses_flush,
	.key = curses_key,
	.copy = curses_copy,
	.close = curses_close,
};

bool screen_curses_can_open(void)
{
	FILE *tty = fopen("/dev/tty", "r+e");
	const char *move;
	int known;

	if (!tty)
		return false;
	if (setupterm(NULL, fileno(tty), &known) != OK) {
		fclose(tty);
		return false;
	}
	move = tigetstr("cup");
	del_curterm(cur_term);
	fclose(tty);
	return move && move != (char *)-1;
}

/* Characters beyond ASCII need a locale that this machine has, not only a name in LANG. */
static bool locale_is_utf8(void)
{
	return setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static void start(struct screen_curses *c)
{
	set_term(c->term);
	/* in ms: whatever follows Esc in the code of a key comes in one piece, or nearly so */
	if (!getenv("ESCDELAY"))
		set_escdelay(12);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	curs_set(0);
	mouseinterval(200);
	mousemask(BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_PRESSED | BUTTON1_RELEASED |
			  BUTTON4_PRESSED | BUTTON5_PRESSED,
		  NULL);
	set_styles(c);
	note_reset("rmcup");
	note_reset("cnorm");
	note_reset("sgr0");
	curses_clear(&c->screen);
}

int screen_curses_open(bool color, struct screen **ret, struct perr *e)
{
	struct screen_curses *c;
	FILE *tty = fopen("/dev/tty", "r+e");

	*ret = NULL;
	if (!tty)
		return perr_io(e, "cannot open /dev/tty");
	c = xcalloc(1, sizeof(*c));
	c->screen = (struct screen){ .ops = &curses_ops, .utf8 = locale_is_utf8() };
	c->tty = tty;
	c->color = color;
	memset(&now, 0, sizeof(now));
	now.fd = fileno(tty);
	tcgetattr(now.fd, &now.sane);
	catch_signals(); /* before curses does, which catches only what nobody has caught */
	c->term = newterm(NULL, tty, tty);
	if (!c->term) {
		release_signals();
		fclose(tty);
		free(c);
		return perr_set(e, PERR_UNSUPPORTED,
				"the terminal's kind (TERM) is not known here: use --stdio");
	}
	start(c);
	*ret = &c->screen;
	return 0;
}
