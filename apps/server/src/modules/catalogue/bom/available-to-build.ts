/** A line of a bill of materials: what one unit takes, and how much of it is there. */
interface BuildLine {
  quantity_required: number
  on_hand: number
}

/**
 * Units that can be put together of what is there now. Nothing is built of components alone: what has no children is printed.
 */
export function availableToBuild(children: readonly BuildLine[], components: readonly BuildLine[]): number {
  if (children.length === 0) return 0
  const units = [...children, ...components].map(({ quantity_required, on_hand }) =>
    Math.floor(Math.max(0, on_hand) / quantity_required),
  )
  return Math.min(...units)
}
