/** What has a label of its own, by the beginning of its ID. */
export const thingPrefixes = { printer: 'prn', spool: 'mat', bin: 'inv', order: 'ord' } as const
export type ThingKind = keyof typeof thingPrefixes

/** Undefined for an ID of something that no label names. */
export function kindOf(id: string): ThingKind | undefined {
  return (Object.keys(thingPrefixes) as ThingKind[]).find((kind) => id.startsWith(`${thingPrefixes[kind]}_`))
}

/** The end of an ID, for people to tell two labels apart. */
export function shortId(id: string): string {
  return id.slice(-6).toUpperCase()
}
