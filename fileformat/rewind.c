/* SPDX-License-Identifier: MIT */
/* Sets an open recording back to its first record, so that it can be read again. */
#include <string.h>

#include "fileformat/perfdata_priv.h"

bool pd_can_rewind(const struct perfdata *pd)
{
	return pd->file_size && pd->priv->inputs[0].map && strcmp(pd->path, "-");
}

static void rewind_input(struct pd_input *in, u64 first)
{
	zstd_free(in->zstd);
	in->zstd = NULL;
	pd_block_put(in->blk);
	in->blk = NULL;
	in->blk_pos = in->blk_len = 0;
	in->eof = false;
	in->forgotten = 0;
	in->pos = first;
}

int pd_rewind(struct perfdata *pd, struct perr *e)
{
	struct pd_priv *priv = pd->priv;

	if (!pd_can_rewind(pd))
		return perr_set(e, PERR_UNSUPPORTED, "a stream cannot be read a second time");
	for (; priv->next_primed < priv->nr_primed; priv->next_primed++)
		pd_block_put(priv->primed[priv->next_primed].block);
	pd_block_put(priv->last_block);
	priv->last_block = NULL;
	for (size_t i = 0; i < priv->nr_inputs; i++)
		rewind_input(&priv->inputs[i], i ? 0 : pd->data_off);
	priv->cur = 0;
	priv->ended = false;
	pd->counts = (struct pd_counts){ 0 };
	return 0;
}
