import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** The server's configuration, as read from the environment once. Paths are absolute. */
export type Environment = {
  host: string;
  port: number;
  dataDir: string;
  cartridgesDir: string;
  promptsDir: string;
  authSecret: string | null;
  identityProvider: { jwksUrl: URL; issuer: string; audience: string } | null;
  allowedOrigins: ReadonlySet<string>;
  openai: { apiKey: string | null; baseUrl: string | null };
  gemini: { apiKey: string | null; baseUrl: string | null };
  /** `<provider>:<model>` by tier. */
  models: { fast: string; standard: string; complex: string };
  limits: {
    studentTurnsPerMinute: number;
    schoolTurnsPerMinute: number;
    studentTokensPerDay: number;
    schoolTokensPerDay: number;
  };
  joinsPerMinute: number;
  /** The IANA time zone whose days the daily work goes by. */
  timeZone: string;
};

/** A variable whose value cannot be used; the message is one line that names it. */
export class EnvironmentError extends Error {}

const count = z
  .string()
  .regex(/^\d{1,9}$/u, 'must be a whole number, 0 or more')
  .transform(Number);
const port = count.refine((value) => value <= 65_535, 'must be a port, 0 to 65535');
const url = z
  .string()
  .refine(
    (value) => /^https?:\/\//u.test(value) && URL.canParse(value),
    'must be a URL that begins with http:// or https://',
  );
const modelSpec = z
  .string()
  .regex(
    /^(openai|gemini|recorded|offline)(:.+)?$/u,
    'must be <provider>:<model>, the provider one of openai, gemini, recorded, offline',
  )
  .refine((value) => !/^(openai|gemini)(:\s*)?$/u.test(value), 'must name a model too, like openai:gpt-5-mini');
const origin = url.transform((value) => new URL(value).origin);

const timeZone = z.string().refine((value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}, 'must be a time zone, like Europe/Vilnius');

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  DATA_DIR: z.string().default('data/var'),
  CARTRIDGES_DIR: z.string().default('cartridges'),
  PROMPTS_DIR: z.string().default('prompts'),
  AUTH_SECRET: z.string().optional(),
  AUTH_JWKS_URL: url.optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/u).filter((part) => part !== ''))
    .pipe(z.array(origin)),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: url.optional(),
  GEMINI_API_KEY: z.string().optional(),
  GEMINI_BASE_URL: url.optional(),
  MODEL_FAST: modelSpec.optional(),
  MODEL_STANDARD: modelSpec.optional(),
  MODEL_COMPLEX: modelSpec.optional(),
  RATE_LIMIT_TURNS_PER_MINUTE: count.default(20),
  RATE_LIMIT_SCHOOL_TURNS_PER_MINUTE: count.default(0),
  RATE_LIMIT_TOKENS_PER_DAY: count.default(0),
  RATE_LIMIT_SCHOOL_TOKENS_PER_DAY: count.default(0),
  RATE_LIMIT_JOINS_PER_MINUTE: count.default(60),
  SCHOOL_TIME_ZONE: timeZone.default('Europe/Vilnius'),
});

/**
 * Reads the configuration from `variables`; relative folders are taken from `root`. Empty values count as absent.
 * Throws `EnvironmentError` with one line that names the variable.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>, root: string): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new EnvironmentError(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  const env = parsed.data;
  for (const later of ['DATABASE_URL', 'REDIS_URL'] as const) {
    if (given[later] !== undefined)
      throw new EnvironmentError(`${later}: not supported by this version; leave it empty to use the built-in store`);
  }
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = env;
  if (jwksUrl !== undefined && (issuer === undefined || audience === undefined)) {
    throw new EnvironmentError(
      `${issuer === undefined ? 'AUTH_ISSUER' : 'AUTH_AUDIENCE'}: must be set where AUTH_JWKS_URL is`,
    );
  }
  const folder = (path: string) => (isAbsolute(path) ? path : resolve(root, path));
  const model = (spec: string | undefined) => spec ?? env.MODEL_STANDARD ?? defaultModel(env);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: folder(env.DATA_DIR),
    cartridgesDir: folder(env.CARTRIDGES_DIR),
    promptsDir: folder(env.PROMPTS_DIR),
    authSecret: env.AUTH_SECRET ?? null,
    identityProvider: jwksUrl && issuer && audience ? { jwksUrl: new URL(jwksUrl), issuer, audience } : null,
    allowedOrigins: new Set(env.ALLOWED_ORIGINS),
    openai: { apiKey: env.OPENAI_API_KEY ?? null, baseUrl: env.OPENAI_BASE_URL ?? null },
    gemini: { apiKey: env.GEMINI_API_KEY ?? null, baseUrl: env.GEMINI_BASE_URL ?? null },
    models: { fast: model(env.MODEL_FAST), standard: model(undefined), complex: model(env.MODEL_COMPLEX) },
    limits: {
      studentTurnsPerMinute: env.RATE_LIMIT_TURNS_PER_MINUTE,
      schoolTurnsPerMinute: env.RATE_LIMIT_SCHOOL_TURNS_PER_MINUTE,
      studentTokensPerDay: env.RATE_LIMIT_TOKENS_PER_DAY,
      schoolTokensPerDay: env.RATE_LIMIT_SCHOOL_TOKENS_PER_DAY,
    },
    joinsPerMinute: env.RATE_LIMIT_JOINS_PER_MINUTE,
    timeZone: env.SCHOOL_TIME_ZONE,
  };
}

/** With a key, its provider's small model; without any, no model at all. */
function defaultModel(env: z.infer<typeof schema>): string {
  if (env.OPENAI_API_KEY !== undefined) return 'openai:gpt-5-mini';
  if (env.GEMINI_API_KEY !== undefined) return 'gemini:gemini-2.5-flash';
  return 'offline';
}
