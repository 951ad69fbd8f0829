import { isIPv4, isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';

/**
 * The host to put in an address that people type: where the server listens on every interface, this machine's address
 * in its network (`0.0.0.0` cannot be opened from a phone); else the host itself.
 */
export function reachableHost(host: string, interfaces: ReturnType<typeof networkInterfaces>): string {
  if (host !== '0.0.0.0' && host !== '::') return isIPv6(host) ? `[${host}]` : host;
  const addresses = Object.values(interfaces).flatMap((each) => each ?? []);
  return addresses.find(({ address, internal }) => isIPv4(address) && !internal)?.address ?? '127.0.0.1';
}
