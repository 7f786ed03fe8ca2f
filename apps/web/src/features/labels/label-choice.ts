import { type ThingKind, thingPrefixes } from '../../lib/things.ts'

/** What is looked through for things to label, as it stands in the address. Left out: printers, and all of them. */
export interface LabelChoice {
  kind?: ThingKind
  search?: string
}

/** What is not understood is left out. */
export function readLabelChoice({ kind, search }: Record<string, unknown>): LabelChoice {
  const known = (Object.keys(thingPrefixes) as ThingKind[]).find((each) => each === kind)
  return {
    ...(known !== undefined && known !== 'printer' && { kind: known }),
    ...(typeof search === 'string' && search !== '' && { search }),
  }
}
