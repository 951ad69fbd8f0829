import { pause, rounded } from './load.ts';
import { type OpenStreams, openStreamRoom, type Side, type StreamRoom } from './stream-room.ts';

const warming = 200;
const counted = 1_000;

/** How long active streams run before they are weighed: about 100 tokens each, which the turn log keeps. */
const activeMs = 10_000;

/**
 * Kilobytes that a stream takes: what `counted` of them add to what JavaScript holds, with its buffers, after a
 * collection of garbage. `rss_mb` is the whole process, in megabytes, before them and with them: a process that has
 * grown earlier need not grow again, so it says nothing of one stream.
 */
export async function memoryPerStream() {
  await using room = await openStreamRoom(warming + counted, ['--expose-gc']);
  const row = async (open: Open, holdMs: number) => {
    const [bare, house] = [
      await grown({ room, side: 'bare', open, holdMs }),
      await grown({ room, side: 'house', open, holdMs }),
    ];
    return { house, bare };
  };
  return {
    streams: counted,
    idle: await row((side, count) => room.openIdle(side, count), 1_500),
    active: await row((side, count) => room.open(side, { count, everyMs: 100, rampMs: count * 3 }), activeMs),
  };
}

type Open = (side: Side, count: number) => Promise<OpenStreams>;

async function grown({ room, side, open, holdMs }: { room: StreamRoom; side: Side; open: Open; holdMs: number }) {
  await (await open(side, warming)).end();
  const before = await room.memory(side);
  const streams = await open(side, counted);
  await pause(holdMs);
  const { heap, rss } = await room.memory(side);
  const cut = await streams.end();
  if (cut > 0) throw new Error(`${cut} streams were cut: ${side}`);
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576);
  return {
    kb_each: rounded((heap - before.heap) / counted / 1_024),
    rss_mb: { before: megabytes(before.rss), with: megabytes(rss) },
  };
}
