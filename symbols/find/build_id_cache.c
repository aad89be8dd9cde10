/* SPDX-License-Identifier: MIT */
#include "symbols/find/build_id_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/elf/build_id.h"
#include "symbols/elf/readfile.h"
#include "symbols/find/perf_config.h"

void build_id_sizes(size_t size, size_t ret[4])
{
	size_t n = 0;

	ret[n++] = size;
	if (size < 16)
		ret[n++] = 16;
	if (size < BUILD_ID_MAX)
		ret[n++] = BUILD_ID_MAX;
	ret[n] = 0;
}

/*
 * With --symfs, the cache below that folder is used instead of this machine's, as in perf.
 * Otherwise the folder is chosen as perf does, but that perf sets $PERF_BUILDID_DIR only for its
 * scripts.
 */
char *build_id_cache_dir(const struct symbols_config *cfg)
{
	const char *env = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");
	char *dir;

	if (cfg->buildid_dir)
		return *cfg->buildid_dir ? xstrdup(cfg->buildid_dir) : NULL;
	if (symbols_has_symfs(cfg))
		return xasprintf("%s/.debug", cfg->symfs);
	if (cfg->hermetic)
		return NULL;
	if (env && *env)
		return xstrdup(env);
	dir = perf_config_value("buildid", "dir");
	if (dir && *dir)
		return dir;
	free(dir);
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

char *build_id_cache_path(const struct symbols_config *cfg, const u8 *build_id, size_t size,
			  const char *name)
{
	const struct file_rules rules = symbols_file_rules(cfg);
	char *dir = size ? build_id_cache_dir(cfg) : NULL, *ret = NULL;
	u8 padded[BUILD_ID_MAX] = { 0 };
	size_t sizes[4];

	if (!dir || size > BUILD_ID_MAX)
		goto out;
	memcpy(padded, build_id, size);
	build_id_sizes(size, sizes);
	for (size_t i = 0; sizes[i] && !ret; i++) {
		char hex[BUILD_ID_HEX], *link;

		build_id_hex(padded, sizes[i], hex);
		link = xasprintf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
		if (regular_file_find(link, &rules) == FILE_FINE) {
			ret = link;
			continue;
		}
		ret = xasprintf("%s/%s", link, name);
		free(link);
		if (regular_file_find(ret, &rules) != FILE_FINE) {
			free(ret);
			ret = NULL;
		}
	}
out:
	free(dir);
	return ret;
}
