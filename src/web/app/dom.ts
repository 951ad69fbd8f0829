type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** Attributes by name (`true` is an empty one; false and undefined are left out) and listeners under `on`. */
export type Attributes = { on?: Listeners } & { [name: string]: string | number | boolean | undefined | Listeners };

export type Child = Node | string | null | undefined | false | readonly Child[];

/** Makes an element with its attributes, listeners and children; text is only ever text, never markup. */
export function build<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'object') listen(element, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...flatten(children));
  return element;
}

/** Puts `children` in the place of whatever `parent` held. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...flatten(children));
}

function listen(element: HTMLElement, listeners: Listeners): void {
  for (const [name, listener] of Object.entries(listeners)) {
    // The pairs are typed where they are written; `entries` forgets which listener goes with which name.
    element.addEventListener(name, listener as (event: Event) => void);
  }
}

function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return child instanceof Node || typeof child === 'string' ? [child] : flatten(child);
  });
}
