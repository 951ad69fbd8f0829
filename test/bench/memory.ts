import { cpus } from 'node:os';
import { measureContextAssembly } from './memory-assembly.ts';
import { measurePromptTokens } from './memory-prompts.ts';
import { measureSearchQuality } from './memory-quality.ts';
import { measureRelevance } from './memory-relevance.ts';
import { measureMemorySearch } from './memory-search.ts';

/**
 * `npm run bench:memory`: what remembering costs, and how well it finds again, as JSON. `--quick` stops at 100,000
 * documents and takes a minute; all of it takes four to nine. Everything is kept in temporary folders, which are gone
 * afterwards.
 */
const isQuick = process.argv.includes('--quick');
const rows = isQuick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000];
const startedAt = performance.now();
const search_quality = await measureSearchQuality();
const relevance = await measureRelevance();
const prompt_tokens = await measurePromptTokens();
const context_assembly = await measureContextAssembly();
const search_speed = await measureMemorySearch({ rows, searches: 400, longestBuildMs: 900_000 });
process.stdout.write(
  `${JSON.stringify(
    {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      search_quality,
      relevance,
      prompt_tokens,
      context_assembly,
      search_speed,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    },
    null,
    2,
  )}\n`,
);
