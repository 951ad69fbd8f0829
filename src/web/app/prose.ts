import { build } from './dom.ts';

/**
 * A text that may still be growing, as paragraphs with simple emphasis. Only paragraphs that changed are touched, so
 * a long reply costs no more a token than a short one. Nothing in the text can become markup.
 */
export class Prose {
  readonly element: HTMLElement = build('div', { class: 'prose' });
  #paragraphs: string[] = [];

  set(text: string): void {
    const paragraphs = paragraphsOf(text);
    while (this.element.children.length > paragraphs.length) this.element.lastElementChild?.remove();
    paragraphs.forEach((paragraph, index) => {
      if (this.#paragraphs[index] === paragraph && this.element.children[index]) return;
      const node = build('p', {}, emphasise(paragraph));
      const old = this.element.children[index];
      if (old) old.replaceWith(node);
      else this.element.append(node);
    });
    this.#paragraphs = paragraphs;
  }
}

/** A finished text as paragraphs. */
export function prose(text: string): HTMLElement {
  const result = new Prose();
  result.set(text);
  return result.element;
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}

/** `**strong**` and `*emphasis*` as elements, everything else as it stands. */
function emphasise(text: string): (Node | string)[] {
  return text
    .split(/(\*\*[^*\n]+\*\*|\*[^*\s](?:[^*\n]*[^*\s])?\*)/u)
    .filter((piece) => piece !== '')
    .map((piece, index, pieces) => {
      if (piece.length > 4 && piece.startsWith('**') && piece.endsWith('**')) {
        return build('strong', {}, piece.slice(2, -2));
      }
      if (piece.length > 2 && piece.startsWith('*') && piece.endsWith('*') && pieces[index] === piece) {
        return build('em', {}, piece.slice(1, -1));
      }
      return piece;
    });
}
