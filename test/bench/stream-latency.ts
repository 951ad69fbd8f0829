import { median, pause, quantile, rounded } from './load.ts';
import { agesOf } from './stamp.ts';
import { type Side, sides, type StreamRoom } from './stream-room.ts';

/** People do not all ask at once: how many streams begin in a second. A turn's beginning is not what is measured. */
const beginsPerSecond = 300;
/** How long all the streams of a measurement run before they are looked at, and then while they are. */
const settleMs = 1_500;
const measuredMs = 2_000;
/** A stream this late is not live any more. */
const lateMs = 50;

type Latency = { p50: number; p99: number; cpu: number; delivered: number; cut: number };

export type Paced = { streams: number; everyMs: number };

/** How late the tokens of so many paced streams are. `delivered`: the share of the tokens due that came. */
async function measureLatency(room: StreamRoom, side: Side, { streams, everyMs }: Paced): Promise<Latency> {
  const ages: number[] = [];
  let isMeasured = false;
  const open = await room.open(side, {
    count: streams,
    everyMs,
    rampMs: (streams / beginsPerSecond) * 1_000,
    onText: (text) => {
      if (isMeasured) ages.push(...agesOf(text));
    },
  });
  await pause(settleMs);
  const before = await room.cpu(side);
  const startedAt = performance.now();
  isMeasured = true;
  await pause(measuredMs);
  isMeasured = false;
  const due = (streams * (performance.now() - startedAt)) / everyMs;
  const cpu = (await room.cpu(side)) - before;
  const cut = await open.end();
  if (ages.length === 0) throw new Error(`no token of ${streams} streams came: ${side}, ${cut} cut`);
  return {
    p50: quantile(ages, 0.5),
    p99: quantile(ages, 0.99),
    cpu: cpu / ages.length,
    delivered: ages.length / due,
    cut,
  };
}

/** Whether a side kept its streams live. */
function isLive({ p99, delivered, cut }: Latency): boolean {
  return p99 < lateMs && delivered > 0.95 && cut === 0;
}

/**
 * Medians of the latency of both sides with the same streams. Where the bare proxy cannot keep them live itself, the
 * machine is what is measured: that is said, and one round is enough.
 */
export async function compareLatency(room: StreamRoom, paced: Paced, rounds: number) {
  const measured: Record<Side, Latency[]> = { house: [], bare: [] };
  let isSaturated = false;
  for (let round = 0; round < rounds && !isSaturated; round += 1) {
    for (const side of sides) measured[side].push(await measureLatency(room, side, paced));
    isSaturated = measured.bare.some((each) => !isLive(each));
  }
  const middle = (side: Side, of: keyof Latency) => median(measured[side].map((each) => each[of]));
  const row = (side: Side) => ({
    p50_ms: rounded(middle(side, 'p50')),
    p99_ms: rounded(middle(side, 'p99')),
    cpu_us_per_token: rounded(middle(side, 'cpu')),
    delivered: rounded(middle(side, 'delivered')),
  });
  return {
    streams: paced.streams,
    token_every_ms: paced.everyMs,
    rounds: measured.bare.length,
    machine_saturated: isSaturated,
    house: row('house'),
    bare: row('bare'),
    added_p50_ms: rounded(middle('house', 'p50') - middle('bare', 'p50')),
    added_p99_ms: rounded(middle('house', 'p99') - middle('bare', 'p99')),
    p99_ratio: rounded(middle('house', 'p99') / middle('bare', 'p99')),
    cpu_ratio: rounded(middle('house', 'cpu') / middle('bare', 'cpu')),
  };
}

export type Search = { everyMs: number; from: number; atMost: number; budgetMs: number };

/** The most streams that a side keeps live: doubled until it twice does not, then bisected, as long as there is time. */
export async function findMostStreams(room: StreamRoom, side: Side, { everyMs, from, atMost, budgetMs }: Search) {
  const deadline = performance.now() + budgetMs;
  const tried: { streams: number; p99_ms: number; delivered: number; cut: number }[] = [];
  let held = 0;
  let tooMany: number | null = null;
  for (let streams = from; performance.now() < deadline; ) {
    let latency = await measureLatency(room, side, { streams, everyMs });
    // On a machine that does other work too, one bad moment is no proof.
    if (!isLive(latency)) latency = await measureLatency(room, side, { streams, everyMs });
    const { p99, delivered, cut } = latency;
    tried.push({ streams, p99_ms: rounded(p99), delivered: rounded(delivered), cut });
    if (isLive(latency)) held = streams;
    else tooMany = streams;
    if (held === atMost || (tooMany !== null && tooMany - held <= from / 4)) break;
    streams = tooMany === null ? Math.min(streams * 2, atMost) : Math.round((held + tooMany) / 2);
  }
  return { streams: held, reached_limit_of_search: tooMany === null, tried };
}
