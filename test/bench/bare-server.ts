import { createServer } from 'node:http';

/** The least server there is, for the start-up time to be compared with. */
createServer((_, response) => response.end('ok')).listen(Number(process.env['PORT']), '127.0.0.1');
