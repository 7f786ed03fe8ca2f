/** The comments by which slicers mark where a layer begins, the most trusted first. */
export const layerMarkKinds = ['prusa', 'bambu', 'cura', 'simplify3d', 'kirimoto', 'kisslicer'] as const

export type LayerMarkKind = (typeof layerMarkKinds)[number]

/**
 * The kind of layer mark that a comment line is, or undefined. Lines are compared whole: profiles add
 * `;BEFORE_LAYER_CHANGE` and `;AFTER_LAYER_CHANGE`, which a search for a part of the line would count too.
 * Negative numbers of Cura are raft layers and no marks.
 */
export function findLayerMark(line: string): LayerMarkKind | undefined {
  if (line === ';LAYER_CHANGE') return 'prusa'
  if (line === '; CHANGE_LAYER') return 'bambu'
  if (/^;LAYER:\d+$/.test(line)) return 'cura'
  if (/^; layer \d+, Z = -?[\d.]+$/.test(line)) return 'simplify3d'
  if (/^;; --- layer \d+ \(/.test(line)) return 'kirimoto'
  if (/^; END_LAYER_OBJECT z=/.test(line)) return 'kisslicer'
  return undefined
}
