import { Checkbox, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { ProductionNeed } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { thumbnailOf } from '../../lib/own-address.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time, useNowMs } from '../../ui/time.tsx'
import { BlockerRemedy } from './blocker-remedy.tsx'
import { groupByDue, groupWords } from './due-groups.ts'
import './need-list.css'

interface NeedListProps {
  needs: readonly ProductionNeed[]
  /** IDs of the SKUs that are chosen; undefined: nothing can be. */
  chosen: ReadonlySet<string> | undefined
  onChoose: (chosen: Set<string>) => void
}

/** What must be printed, under the time that is left for it. */
export function NeedList({ needs, chosen, onChoose }: NeedListProps) {
  const nowMs = useNowMs()
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return groupByDue(needs, nowMs).map(({ group, rows }) => (
    <Panel
      key={group}
      title={`${groupWords[group]} (${t('{rows, plural, one {# SKU} other {# SKUs}}', { rows: rows.length })})`}
    >
      <ul className="plain-list">
        {rows.map((need) => (
          <NeedRow
            key={need.product_sku_id}
            need={need}
            isLate={group === 'late'}
            isChosen={chosen?.has(need.product_sku_id)}
            onToggle={() => toggle(need.product_sku_id)}
          />
        ))}
      </ul>
    </Panel>
  ))
}

interface NeedRowProps {
  need: ProductionNeed
  isLate: boolean
  /** Undefined: it cannot be chosen. */
  isChosen: boolean | undefined
  onToggle: () => void
}

function NeedRow({ need, isLate, isChosen, onToggle }: NeedRowProps) {
  const { sku, product_name, color, filament_type, to_print, shelf_units, blocked, blockers } = need
  const queueable = to_print + (need.is_makeable ? shelf_units : 0)
  return (
    <ListRow
      before={
        isChosen !== undefined && (
          <Checkbox
            aria-label={t('Select {sku}', { sku })}
            className="touch-target"
            checked={isChosen}
            disabled={queueable === 0}
            onChange={onToggle}
          />
        )
      }
      title={
        <div className="need-row">
          <Picture address={thumbnailOf(need.image_url)} icon="product" size="row" />
          <div>
            <LinkText to="/skus/$skuId" params={{ skuId: need.product_sku_id }} fw={600}>
              {sku}
            </LinkText>
            <Text size="sm" c="dimmed">
              {[product_name, [color, filament_type].filter(Boolean).join(' ')].filter(Boolean).join(' · ')}
            </Text>
            <div className="need-lines">
              {need.orders.length > 0 && (
                <div>
                  <Orders need={need} />
                  {need.due_at !== null && (
                    <>
                      {' · '}
                      {isLate ? t('was due ') : t('due ')}
                      <Time at={need.due_at} />
                    </>
                  )}
                </div>
              )}
              {shelf_units > 0 && (
                <div>
                  <Rich
                    text="{shelf_units} for the shelf{to_print}"
                    values={{
                      shelf_units: formatCount(shelf_units),
                      to_print: to_print + blocked > 0 && t(', after what orders wait for'),
                    }}
                  />
                </div>
              )}
              {blockers.map((blocker) => (
                <div key={`${blocker.reason} ${blocker.product_sku_id} ${blocker.material_id}`}>
                  <StatusBadge tone="trouble">
                    {blocked > 0 ? t('{blocked} blocked', { blocked: formatCount(blocked) }) : t('Cannot be made')}
                  </StatusBadge>{' '}
                  {serviceSentence(blocker.message)}. <BlockerRemedy blocker={blocker} />
                </div>
              ))}
            </div>
          </div>
          {queueable > 0 && (
            <div className="need-amount">
              <b>{formatCount(queueable)}</b>
              <Text size="xs" c="dimmed">
                {need.is_assembled ? t('to make') : t('to print')}
              </Text>
            </div>
          )}
        </div>
      }
    />
  )
}

/** Those that have to leave first, by their numbers. */
function Orders({ need: { orders, orders_waiting } }: { need: ProductionNeed }) {
  const more = orders_waiting - orders.length
  return (
    <>
      {orders_waiting === 1 ? t('Order ') : t('Orders ')}
      {orders.map(({ order_id, order_number, to_print, blocked }, index) => (
        <Fragment key={order_id}>
          {index > 0 && ', '}
          <LinkText to="/orders/$orderId" params={{ orderId: order_id }} underline="always" inherit>
            {order_number}
          </LinkText>
          {orders_waiting > 1 && ` (${formatCount(to_print + blocked)})`}
        </Fragment>
      ))}
      {more > 0 && t(' and {more} more', { more: formatCount(more) })}
    </>
  )
}
