import type { BlockView } from '../../protocol-types.ts';

/** A block's field as text; empty where it is not there or is no text. */
export function textField(block: BlockView, name: string): string {
  const value = block[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The address of a block's file; null where there is none to show. */
export function addressOf(block: BlockView): string | null {
  return typeof block.src_url === 'string' && block.src_url !== '' ? block.src_url : null;
}
