/** What has a label of its own, by the beginning of its ID. */
export const thingPrefixes = { printer: 'prn', spool: 'mat', bin: 'inv', order: 'ord' } as const
export type ThingKind = keyof typeof thingPrefixes

/** Undefined for an ID of something that no label names. */
export function kindOf(id: string): ThingKind | undefined {
  return (Object.keys(thingPrefixes) as ThingKind[]).find((kind) => id.startsWith(`${thingPrefixes[kind]}_`))
}

const pages: Readonly<Record<string, string>> = {
  prn: '/printers',
  job: '/jobs',
  fil: '/files',
  prd: '/products',
  sku: '/skus',
  inv: '/stock',
  ord: '/orders',
  asm: '/assembly',
  wik: '/wiki',
  hub: '/hubs',
  whk: '/settings/webhooks',
}

/** The address of the page of a thing, by the beginning of its ID. Undefined for what has none of its own, and for materials, whose pages are those of their kinds. */
export function pageOf(id: string): string | undefined {
  const page = pages[id.slice(0, id.indexOf('_'))]
  return page === undefined ? undefined : `${page}/${encodeURIComponent(id)}`
}

/** The end of an ID, for people to tell two labels apart. */
export function shortId(id: string): string {
  return id.slice(-6).toUpperCase()
}
