export const scopes = ['read', 'write', 'control'] as const
/** What a caller may do: see, change data, move machines. */
export type Scope = (typeof scopes)[number]

/** Who asks. `label` is what stands in records: `key:key_…`, `system`, `hub:hub_…`. */
export interface Actor {
  accountId: string
  label: string
  scopes: readonly Scope[]
  /** The API key used, for idempotency and limits. */
  apiKeyId: string
}
