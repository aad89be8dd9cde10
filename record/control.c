/* SPDX-License-Identifier: MIT */
#include "record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/option.h"

static int open_fifo(const char *path, int *ret, struct perr *e)
{
	/*
	 * Open for reading and writing: the open then does not wait for a writer, and reads do not
	 * see an end of file when a writer closes.
	 */
	*ret = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (*ret < 0)
		return perr_io(e, "--control: %s", path);
	return 0;
}

static int fd_number(const char *text, int *ret, struct perr *e)
{
	u64 v;

	if (parse_u64(text, 10, 0, 1 << 20, &v))
		return perr_set(e, PERR_USAGE, "--control: '%s' is not a file descriptor number",
				text);
	if (fcntl((int)v, F_GETFD) < 0)
		return perr_io(e, "--control: descriptor %s", text);
	*ret = (int)v;
	return 0;
}

int control_open(struct control *c, const char *text, struct perr *e)
{
	bool is_fifo = !strncmp(text, "fifo:", 5);
	char *first = NULL, *second;
	int rc;

	*c = (struct control){ .fd = -1, .ack_fd = -1, .close_them = is_fifo };
	if (!is_fifo && strncmp(text, "fd:", 3))
		return perr_set(e, PERR_USAGE,
				"--control: expected fd:CTL[,ACK] or fifo:CTL[,ACK], got '%s'",
				text);
	first = xstrdup(text + (is_fifo ? 5 : 3));
	second = strchr(first, ',');
	if (second)
		*second++ = '\0';
	if (is_fifo)
		rc = open_fifo(first, &c->fd, e);
	else
		rc = fd_number(first, &c->fd, e);
	if (!rc && second && *second)
		rc = is_fifo ? open_fifo(second, &c->ack_fd, e) : fd_number(second, &c->ack_fd, e);
	free(first);
	if (rc)
		control_close(c);
	return rc;
}

void control_close(struct control *c)
{
	if (c->close_them) {
		if (c->fd >= 0)
			close(c->fd);
		if (c->ack_fd >= 0)
			close(c->ack_fd);
	}
	c->fd = c->ack_fd = -1;
}

static const struct {
	const char *word;
	enum control_command command;
	bool has_arg;
} commands[] = {
	{ "enable", CONTROL_ENABLE, true }, { "disable", CONTROL_DISABLE, true },
	{ "evlist", CONTROL_EVLIST, true }, { "snapshot", CONTROL_SNAPSHOT, false },
	{ "stop", CONTROL_STOP, false },    { "ping", CONTROL_PING, false },
};

static enum control_command command_of(struct control *c, const char *line)
{
	c->arg[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		size_t n = strlen(commands[i].word);
		const char *rest = line + n;

		if (strncmp(line, commands[i].word, n))
			continue;
		if (!*rest)
			return commands[i].command;
		if (*rest != ' ' || !commands[i].has_arg)
			continue;
		rest += strspn(rest, " ");
		memcpy(c->arg, rest, strlen(rest) + 1);
		return commands[i].command;
	}
	return CONTROL_UNKNOWN;
}

enum control_command control_next(struct control *c)
{
	while (c->fd >= 0) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		char ch;
		ssize_t n;

		/*
		 * The parent process may have opened the descriptor in blocking mode, so poll
		 * before each read.
		 */
		if (poll(&p, 1, 0) != 1)
			return CONTROL_NONE;
		n = read(c->fd, &ch, 1);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			return CONTROL_NONE;
		if (n <= 0) {
			if (c->close_them)
				close(c->fd);
			c->fd = -1;
			return CONTROL_NONE;
		}
		if (ch == '\n' || ch == '\0') {
			c->line[c->len] = '\0';
			c->len = 0;
			if (c->line[0])
				return command_of(c, c->line);
		} else if (c->len + 1 < sizeof(c->line)) {
			c->line[c->len++] = ch;
		}
	}
	return CONTROL_NONE;
}

void control_ack(const struct control *c)
{
	ssize_t n = 0;

	if (c->ack_fd >= 0)
		n = write(c->ack_fd, "ack\n", 4);
	(void)n; /* A controller that does not read the replies must not stop the recording. */
}
