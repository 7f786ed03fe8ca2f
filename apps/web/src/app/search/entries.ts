import { presentJobStatus } from '../../features/jobs/job-state.ts'
import { type OrderStatus, presentOrderStatus } from '../../features/orders/order-state.ts'
import type { SearchGroup } from '../../lib/api/api-schema.generated.ts'
import { inSentence } from '../../lib/i18n/in-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { writeSearchText } from '../../lib/search-text.ts'
import type { IconName } from '../../ui/icon.tsx'

/** What can be chosen: where it leads, and the words for it. */
export interface Entry {
  key: string
  icon: IconName
  label: string
  detail: string
  href: string
}

export interface EntryGroup {
  label: string
  entries: Entry[]
}

type Kind = SearchGroup['kind']
type Hit = SearchGroup['hits'][number]

interface KindWords {
  label: string
  icon: IconName
  href: (id: string) => string
  /** The list of all of them with these words; undefined where there is none. */
  all?: string
  status?: (status: string) => string
}

const kinds: Record<Kind, KindWords> = {
  printer: { label: t('Printers'), icon: 'printer', href: (id) => `/printers/${id}`, all: '/printers' },
  job: {
    label: t('Jobs'),
    icon: 'queue',
    href: (id) => `/jobs/${id}`,
    all: '/queue',
    status: (status) => presentJobStatus(status).word,
  },
  order: {
    label: t('Orders'),
    icon: 'order',
    href: (id) => `/orders/${id}`,
    all: '/orders',
    status: (status) => presentOrderStatus(status as OrderStatus).word,
  },
  product: { label: t('Products'), icon: 'product', href: (id) => `/products/${id}`, all: '/products' },
  sku: { label: 'SKUs', icon: 'label', href: (id) => `/skus/${id}`, all: '/stock' },
  file: { label: t('Files'), icon: 'file', href: (id) => `/files/${id}`, all: '/files' },
  article: { label: t('Wiki'), icon: 'book', href: (id) => `/wiki/${id}`, all: '/wiki' },
  person: { label: t('People'), icon: 'user', href: () => '/settings/members', status: (role) => role },
}

/**
 * What was found, by kind; where there is more, the last entry leads to the list. A kind with a thing that is called just so comes
 * first: who types the code of a SKU means it, and not the orders for it.
 */
export function entriesOf(groups: readonly SearchGroup[], text: string): EntryGroup[] {
  const wanted = text.toLowerCase()
  const isMeant = ({ hits }: SearchGroup) =>
    hits.some(({ id, title }) => id === text || title.toLowerCase() === wanted) ? 0 : 1
  return groups
    .toSorted((a, b) => isMeant(a) - isMeant(b))
    .map(({ kind, hits, has_more }) => {
      const { label, icon, href, all } = kinds[kind]
      const entries = hits.map((hit) => ({
        key: `${kind} ${hit.id}`,
        icon,
        label: hit.title,
        detail: detailOf(kind, hit),
        href: href(encodeURIComponent(hit.id)),
      }))
      if (!has_more || all === undefined) return { label, entries }
      const more: Entry = {
        key: `${kind} all`,
        icon: 'forth',
        label: t('More in {kind}', {
          kind: kind === 'job' ? t('the queue') : kind === 'sku' ? t('the stock') : inSentence(label),
        }),
        detail: '',
        href: `${all}${writeSearchText({ search: text })}`,
      }
      return { label, entries: [...entries, more] }
    })
}

function detailOf(kind: Kind, { status, detail }: Hit): string {
  const word = status === null ? '' : (kinds[kind].status?.(status) ?? '')
  return [word, detail].filter((part) => part !== '').join(' · ')
}
