import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CuttableLine = Disposable & {
  /** Where the server is found through this line. */
  url: string;
  /** Cuts every connection there is; new ones can be made at once. */
  cut(): void;
};

/** A line to a server that can be cut in the middle of anything, as a school's Wi-Fi does. */
export async function openCuttableLine(serverUrl: string): Promise<CuttableLine> {
  const { port, hostname } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    [Symbol.dispose]() {
      server.close();
      cut();
    },
  };
}
