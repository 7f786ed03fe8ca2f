import { kindOf, type ThingKind, thingPrefixes } from '../../lib/things.ts'

/** Something to print a label for. */
export interface LabelItem {
  kind: ThingKind
  id: string
}

/** More would neither be looked through nor fit into an address. */
export const mostLabels = 200

const isKind = (text: string): text is ThingKind => Object.hasOwn(thingPrefixes, text)

/** `printer:prn_1,spool:mat_1` as items; what is no item is left out, and so is what stands there twice. */
export function readLabelItems(text: string | undefined): LabelItem[] {
  const items = (text ?? '').split(',').flatMap((part): LabelItem[] => {
    const [kind = '', id = ''] = part.trim().split(':')
    return isKind(kind) && kindOf(id) === kind ? [{ kind, id }] : []
  })
  return [...new Map(items.map((item) => [item.id, item])).values()].slice(0, mostLabels)
}

export function writeLabelItems(items: readonly LabelItem[]): string {
  return items.map(({ kind, id }) => `${kind}:${id}`).join(',')
}
