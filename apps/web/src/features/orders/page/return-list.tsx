import { Text } from '@mantine/core'
import type { OrderReturn } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import type { OrderLine } from './order-lines.ts'

export type Disposition = OrderReturn['disposition']

export const dispositionOptions: readonly { value: Disposition; label: string }[] = [
  { value: 'restock', label: t('Back into stock') },
  { value: 'scrap', label: t('Scrap') },
  { value: 'remake', label: t('Make it again') },
]

const done: Record<Disposition, string> = {
  restock: t('back into stock'),
  scrap: t('scrapped'),
  remake: t('to be made again'),
}

/** What came back of the order. */
export function ReturnList({ returns, lines }: { returns: readonly OrderReturn[]; lines: readonly OrderLine[] }) {
  return (
    <ul className="plain-list">
      {returns.map(({ id, item_id, quantity, disposition, notes, created_at }) => {
        const line = lines.find((each) => each.id === item_id)
        return (
          <ListRow
            key={id}
            title={
              <>
                <Text span>
                  {formatCount(quantity)} ×{' '}
                  <ThingLink id={line?.product_sku_id}>{line?.product_name ?? t('a line')}</ThingLink>,{' '}
                  {done[disposition]}
                </Text>
                <Text span size="sm" c="dimmed">
                  <Time at={created_at} as="full" />
                </Text>
              </>
            }
          >
            {notes !== '' && <Text size="sm">{notes}</Text>}
          </ListRow>
        )
      })}
    </ul>
  )
}
