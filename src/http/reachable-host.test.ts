import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { reachableHost } from './reachable-host.ts';

const at = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo;
const interfaces = { lo: [at('127.0.0.1', true)], wifi: [at('fe80::1'), at('192.168.1.20')] };

it('an address that people type names this machine in its network where the server listens everywhere', () => {
  expect(reachableHost('0.0.0.0', interfaces)).toBe('192.168.1.20');
  expect(reachableHost('::', interfaces)).toBe('192.168.1.20');
  expect(reachableHost('0.0.0.0', { lo: [at('127.0.0.1', true)] })).toBe('127.0.0.1');
});

it('an address names the host it was given, IPv6 in brackets', () => {
  expect(reachableHost('127.0.0.1', interfaces)).toBe('127.0.0.1');
  expect(reachableHost('school.example', interfaces)).toBe('school.example');
  expect(reachableHost('::1', interfaces)).toBe('[::1]');
});
