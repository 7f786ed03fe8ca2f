import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlanGroup, PlanLine } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { orderPlanQuery } from '../orders.api.ts'
import { PromiseWords } from '../promise-mark.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { openUnits, presentGroup } from './plan-words.ts'
import { ProduceDialog } from './produce-dialog.tsx'

/** Where the units of an order are, with what keeps them, and queueing what is missing. */
export function PlanPanel({ order }: { order: { id: string; order_number: string } }) {
  const plan = useQuery(orderPlanQuery(order.id))
  const mayWrite = useMay('write')
  const [isProducing, setProducing] = useState(false)
  const [held, setHeld] = useState<PlanLine>()
  return (
    <Panel
      title={t('Plan')}
      actions={
        mayWrite && (
          <Button variant="default" leftSection={<Icon name="printer" size={16} />} onClick={() => setProducing(true)}>
            {t('Produce')}
          </Button>
        )
      }
    >
      <QueryView query={plan} failed={t('The plan could not be read')}>
        {({ lines, promise }) => (
          <>
            {promise !== null && (
              <Text size="sm" mb="xs">
                <PromiseWords promise={promise} />
              </Text>
            )}
            <ul className="plain-list">
              {lines.map((line) => {
                const { order_item_id, product_sku_id, product_name, sku, units, groups } = line
                return (
                  <ListRow
                    key={order_item_id}
                    actions={
                      mayWrite &&
                      line.product_sku_id !== null &&
                      openUnits(line) > 0 && (
                        <Button
                          size="xs"
                          variant="default"
                          aria-label={t('Hold units for {product_name}…', { product_name: product_name || sku })}
                          onClick={() => setHeld(line)}
                        >
                          {t('Hold…')}
                        </Button>
                      )
                    }
                    title={
                      <>
                        <ThingLink id={product_sku_id} fw={600}>
                          {product_name || sku}
                        </ThingLink>
                        <Text span size="sm" c="dimmed">
                          {t('{units, plural, one {# unit} other {# units}}', { units })}
                        </Text>
                      </>
                    }
                  >
                    {groups.map((group) => (
                      <Units key={`${group.state} ${group.expected_at} ${reasonsOf(group)}`} group={group} />
                    ))}
                  </ListRow>
                )
              })}
            </ul>
          </>
        )}
      </QueryView>
      {held && <HoldDialog orderId={order.id} line={held} onClose={() => setHeld(undefined)} />}
      {isProducing && <ProduceDialog order={order} onClose={() => setProducing(false)} />}
    </Panel>
  )
}

const reasonsOf = ({ blockers }: PlanGroup) =>
  [...new Set(blockers.map(({ message }) => serviceSentence(message)))].join('. ')

function Units({ group }: { group: PlanGroup }) {
  const { tone, word } = presentGroup(group)
  return (
    <Text component="div" size="sm" mt={4}>
      <StatusBadge tone={tone}>{word}</StatusBadge> {reasonsOf(group)}
      {group.ready_p50_at !== null && (
        <>
          <Rich text="printed by {time}" values={{ time: <Time at={group.ready_p50_at} as="clock" /> }} />
          {group.ready_p90_at !== null && (
            <Rich
              text=", or by {time} at the latest in nine of ten cases"
              values={{ time: <Time at={group.ready_p90_at} as="clock" /> }}
            />
          )}
        </>
      )}
    </Text>
  )
}
