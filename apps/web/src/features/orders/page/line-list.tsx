import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { formatMoney } from '../../../lib/money.ts'
import { Facts } from '../../../ui/lists/facts.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { listingWords, type OrderLine, presentLine } from './order-lines.ts'
import './line-list.css'

interface LineListProps {
  lines: readonly OrderLine[]
  currency: string
  /** What maps a line that stands for no SKU; left out for who may only look. */
  mapping?: ((line: OrderLine) => ReactNode) | undefined
}

/** What was ordered, line by line, and how far each line is. */
export function LineList({ lines, currency, mapping }: LineListProps) {
  return (
    <ul className="plain-list">
      {lines.map((line) => (
        <LineRow key={line.id} line={line} currency={currency} mapping={mapping?.(line)} />
      ))}
    </ul>
  )
}

function LineRow({ line, currency, mapping }: { line: OrderLine; currency: string; mapping: ReactNode }) {
  const { tone, word } = presentLine(line)
  return (
    <ListRow
      title={
        <>
          <ThingLink id={line.product_sku_id} fw={600}>
            {line.product_name || listingWords(line)}
          </ThingLink>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          {line.returned > 0 && (
            <StatusBadge tone="waiting" icon="retry">
              {t('{returned} returned', { returned: formatCount(line.returned) })}
            </StatusBadge>
          )}
          <span className="line-price">
            {formatCount(line.quantity)} × {formatMoney(line.unit_price, currency)}
            <strong>{formatMoney(line.total_price, currency)}</strong>
          </span>
        </>
      }
    >
      <Text size="sm" c="dimmed">
        {wordsOf(line)}
      </Text>
      {line.personalisation.length > 0 && (
        <div className="line-wish">
          <Facts facts={line.personalisation.map(({ name, value }) => [name, value])} />
        </div>
      )}
      {line.notes !== '' && (
        <Text size="sm" mt={4}>
          {line.notes}
        </Text>
      )}
      {mapping !== undefined && line.state === 'unmapped' && line.fulfillment_status === 'pending' && (
        <Group mt="xs">{mapping}</Group>
      )}
    </ListRow>
  )
}

/** `CLIP-RED · 3 packs of 4 units`; of an unmapped line what the shop calls it. */
function wordsOf(line: OrderLine): string {
  if (line.state === 'unmapped')
    return t('In the shop: {listingWords}', { listingWords: listingWords(line) || line.product_name })
  const pack =
    line.pack_size > 1
      ? t('packs of {pack_size}, {units, plural, one {# unit} other {# units}}', {
          pack_size: line.pack_size,
          units: line.units,
        })
      : ''
  return [line.sku, line.variation, pack].filter(Boolean).join(' · ')
}
