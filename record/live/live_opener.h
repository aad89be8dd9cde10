/* SPDX-License-Identifier: MIT */
/*
 * Opens files in threads of its own: a file system may take seconds to answer, or never do so, and
 * the thread that reads the rings must not wait for it. A file is named by the paths where it may
 * be found, and by its identity.
 */
#ifndef RECORD_LIVE_LIVE_OPENER_H
#define RECORD_LIVE_LIVE_OPENER_H

#include "symbols/elf/object.h"

/* One place of a file. Both texts are malloc'd and go over to the opener; root: NULL: none. */
struct open_place {
	char *path, *root;
};

/* What the file is to be. */
struct open_identity {
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size; /* 0: not known, then the inode decides */
	u64 ino;
	u32 dev_maj, dev_min;
};

/* True if the open file has the inode and the device; a build-id is not looked at. */
bool open_identity_is(const struct open_identity *id, int fd);
/* Opens what is at a place, if it is a regular file; -1: there is none. May wait for ever. */
int open_place_fd(const struct open_place *p);

struct live_opener;

/*
 * Whether the rings fill while a file is waited for. asked: NULL: they are not looked at; any
 * thread that opens files calls it, and holds a lock of the opener.
 */
struct live_hurry {
	bool (*asked)(void *ctx);
	void *ctx;
};

/* Threads are made when there is something to open. */
struct live_opener *live_opener_new(void);
/* Threads that wait for a file system are left behind, with what they use. NULL allowed. */
void live_opener_free(struct live_opener *o);

/* From now on a wait ends when the rings fill. Not while files are opened. */
void live_opener_set_hurry(struct live_opener *o, struct live_hurry hurry);

enum open_state { OPEN_UNKNOWN, OPEN_WAITS, OPEN_DONE, OPEN_NO_ELF };

/*
 * What became of the file of this number. OPEN_DONE: sets *ret to the file, which is the caller's
 * now, or to NULL, if it was not found; the number is unknown then. OPEN_NO_ELF: likewise, the file
 * was found, but is no ELF file. Any thread may call it.
 */
enum open_state live_opener_take(struct live_opener *o, u32 number, struct object **ret);

/*
 * True while a file is being opened that was waited for as long as that: for a second after it was
 * asked for.
 */
bool live_opener_waits(struct live_opener *o);
/* The same, or live_opener_has_news() is true now. */
bool live_opener_will_have_news(struct live_opener *o);

/*
 * True once after a file was opened, or was not found, that had OPEN_WAITS: what was looked up
 * without it is to be looked up again.
 */
bool live_opener_has_news(struct live_opener *o);

/* What is known of the file of this number is not wanted: another file may have the number now. */
void live_opener_forget(struct live_opener *o, u32 number);

/*
 * Begins to open the file of a number that is not waited for, takes over what places has, and waits
 * a little: a second at most, and 20 ms where the rings fill. Returns as live_opener_take(). Any
 * thread may call it.
 */
enum open_state live_opener_ask(struct live_opener *o, u32 number, const struct open_identity *id,
				const struct open_place *places, size_t nr, struct object **ret);

#endif
