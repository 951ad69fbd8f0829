import { describe, expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from './environment.ts';

describe('the environment', () => {
  it('has a default for everything, and no model where there is no key', () => {
    expect(readEnvironment({}, '/srv')).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: '/srv/data/var',
      cartridgesDir: '/srv/cartridges',
      models: { fast: 'offline', standard: 'offline', complex: 'offline' },
      limits: { studentTurnsPerMinute: 20, schoolTurnsPerMinute: 0, studentTokensPerDay: 0, schoolTokensPerDay: 0 },
      joinsPerMinute: 60,
      identityProvider: null,
    });
  });

  it('takes an absolute folder as it is, and an empty value as none', () => {
    expect(readEnvironment({ DATA_DIR: '/data', PORT: '' }, '/srv')).toMatchObject({ dataDir: '/data', port: 3000 });
  });

  it('uses one model for all tiers where only the standard one is named', () => {
    const { models } = readEnvironment({ MODEL_STANDARD: 'openai:local', MODEL_COMPLEX: 'gemini:big' }, '/');
    expect(models).toEqual({ fast: 'openai:local', standard: 'openai:local', complex: 'gemini:big' });
  });

  it('reads origins, and limits of 0 as no limit', () => {
    const env = readEnvironment(
      { ALLOWED_ORIGINS: 'https://a.example/, http://b.example:8080', RATE_LIMIT_TURNS_PER_MINUTE: '0' },
      '/',
    );
    expect([...env.allowedOrigins]).toEqual(['https://a.example', 'http://b.example:8080']);
    expect(env.limits.studentTurnsPerMinute).toBe(0);
  });

  it.each([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '70000' }],
    ['MODEL_FAST', { MODEL_FAST: 'llama' }],
    ['MODEL_STANDARD', { MODEL_STANDARD: 'openai' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'localhost:11434' }],
    ['AUTH_AUDIENCE', { AUTH_JWKS_URL: 'https://id.example/keys', AUTH_ISSUER: 'https://id.example' }],
    ['RATE_LIMIT_JOINS_PER_MINUTE', { RATE_LIMIT_JOINS_PER_MINUTE: '-1' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'example.org' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://x' }],
  ])('stops at a wrong %s with one line that names it', (name, variables) => {
    expect(() => readEnvironment(variables, '/')).toThrow(EnvironmentError);
    expect(() => readEnvironment(variables, '/')).toThrow(new RegExp(`^${name}: [^\n]+$`));
  });
});
