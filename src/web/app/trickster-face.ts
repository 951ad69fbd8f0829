const namespace = 'http://www.w3.org/2000/svg';

function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The Trickster: a lozenge, half of it a mask that winks. With the mask off there are two open eyes. */
export function tricksterFace(mask: 'on' | 'off' = 'on'): SVGElement {
  const svg = shape('svg', { viewBox: '0 0 48 48', class: `face mask-${mask}`, 'aria-hidden': 'true' });
  const under = shape('g', { class: 'face-under' });
  under.append(
    shape('path', { class: 'face-skin', d: 'M24 3 45 24 24 45 3 24Z' }),
    shape('ellipse', { class: 'face-eye', cx: 16.5, cy: 22, rx: 2.4, ry: 3 }),
    shape('ellipse', { class: 'face-eye', cx: 31.5, cy: 22, rx: 2.4, ry: 3 }),
    shape('path', { class: 'face-mouth', d: 'M16 30.5Q24 37 32 30.5' }),
  );
  const half = shape('g', { class: 'face-mask' });
  half.append(
    shape('path', { class: 'mask-cloth', d: 'M24 3 45 24 24 45Z' }),
    shape('path', { class: 'mask-line', d: 'M28.5 23Q31.5 19.5 34.5 23' }),
    shape('path', { class: 'mask-line', d: 'M24 33.7Q30.5 33.4 33 27.5' }),
  );
  svg.append(under, half);
  return svg;
}
