import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { dueSentence } from '../../../features/orders/due-sentence.ts'
import { shipBefore } from '../../../features/orders/order-search.ts'
import { dueState } from '../../../features/orders/order-state.ts'
import { dueOrdersQuery, riskyOrdersQuery } from '../../../features/orders/orders.api.ts'
import { NeedRow } from '../../../features/overview/need-list.tsx'
import {
  hubStatesQuery,
  lateJobsQuery,
  lowSpoolsQuery,
  missingPackagingQuery,
} from '../../../features/overview/overview.api.ts'
import { type NeedKind, needKinds, needOf } from '../../../features/printers/list/printer-need.ts'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatGrams } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import type { IconName } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { TimeZoneContext, useNowMs } from '../../../ui/time.tsx'
import '../../../features/overview/need-list.css'

const mostPrinters = 8
const mostHubs = 8

const looks: Record<NeedKind, { icon: IconName; tone: 'trouble' | 'waiting' | 'away' }> = {
  error: { icon: 'warning', tone: 'trouble' },
  problem: { icon: 'warning', tone: 'trouble' },
  paused: { icon: 'pause', tone: 'waiting' },
  plate: { icon: 'user', tone: 'waiting' },
  offline: { icon: 'away', tone: 'away' },
}

/** Everything that waits for a person now, the most pressing first; each leads to where it is done. */
export function OverviewNeeds({ rows, tasks }: { rows: readonly LivePrinter[]; tasks: number }) {
  const hubs = useQuery(hubStatesQuery()).data ?? []
  const late = useQuery(lateJobsQuery()).data
  const spools = useQuery(lowSpoolsQuery()).data ?? []
  const packaging = useQuery(missingPackagingQuery()).data ?? []
  const nowMs = useNowMs()
  const timeZone = use(TimeZoneContext)
  const orders = useQuery(dueOrdersQuery(shipBefore('soon', nowMs))).data
  const sick = hubs.filter(({ is_online, health }) => !is_online || health.length > 0)
  // What a hub that is away says of itself stands once, not once for each of its printers.
  const needs = rows
    .flatMap((row) => {
      const need = needOf(row)
      return need && !(need.kind === 'offline' && row.hub_id !== null && !row.hub_online) ? [{ row, need }] : []
    })
    .sort((a, b) => needKinds.indexOf(a.need.kind) - needKinds.indexOf(b.need.kind))
  const risky = useQuery(riskyOrdersQuery()).data ?? []
  const lateJobs = late?.rows ?? []
  const due = orders?.rows ?? []
  const dueOrders = [...due, ...risky.filter(({ id }) => due.every((order) => order.id !== id))]
  const total = needs.length + sick.length + lateJobs.length + dueOrders.length + spools.length + packaging.length

  return (
    <Panel title={t('Needs a person now')}>
      {total === 0 ? (
        <EmptyState icon="check" title={t('No printer needs a person')}>
          {t('No hub is offline, no job or order is late, and neither a spool nor packaging runs out.')}
          {tasks > 0 && (
            <Rich
              text=" {tasks, plural, one {<link># task</link> is} other {<link># tasks</link> are}} on the worklist."
              values={{ tasks, link: (words) => <LinkText to="/worklist">{words}</LinkText> }}
            />
          )}
        </EmptyState>
      ) : (
        <ul className="need-list" aria-label={t('Needs a person now')}>
          {sick.slice(0, mostHubs).map(({ id, name, is_online, health }) => (
            <li key={id}>
              <NeedRow
                to="/hubs/$hubId"
                params={{ hubId: id }}
                icon={is_online ? 'warning' : 'away'}
                tone="trouble"
                name={name}
                sentence={health[0]?.message ?? t('The hub is not connected: its printers cannot be reached')}
              />
            </li>
          ))}
          {needs.slice(0, mostPrinters).map(({ row, need }) => (
            <li key={row.id}>
              <NeedRow
                to="/printers/$printerId"
                params={{ printerId: row.id }}
                {...looks[need.kind]}
                name={row.name}
                sentence={[need.sentence, row.location].filter(Boolean).join(' · ')}
              />
            </li>
          ))}
          {lateJobs.map(({ id, file_name, product_name }) => (
            <li key={id}>
              <NeedRow
                to="/jobs/$jobId"
                params={{ jobId: id }}
                icon="history"
                tone="waiting"
                name={product_name ?? file_name}
                sentence={t('Its due date has passed and it is not done')}
              />
            </li>
          ))}
          {dueOrders.map((order) => {
            const isLate = dueState(order, nowMs) === 'late'
            return (
              <li key={order.id}>
                <NeedRow
                  to="/orders/$orderId"
                  params={{ orderId: order.id }}
                  icon="order"
                  tone={isLate || order.promise?.is_at_risk ? 'trouble' : 'waiting'}
                  name={t('Order {order_number}', { order_number: order.order_number })}
                  sentence={dueSentence(order, nowMs, timeZone)}
                />
              </li>
            )
          })}
          {spools.map(({ id, printer_id, brand, type, color, remaining_grams, location }) => (
            <li key={id}>
              <NeedRow
                {...(printer_id === null
                  ? { to: '/materials/$kind/$materialId', params: { kind: 'filament', materialId: id } }
                  : { to: '/printers/$printerId', params: { printerId: printer_id } })}
                icon="spool"
                tone="waiting"
                name={[brand, type, color].filter(Boolean).join(' ')}
                sentence={[t('{remaining_grams} left', { remaining_grams: formatGrams(remaining_grams) }), location]
                  .filter(Boolean)
                  .join(' · ')}
              />
            </li>
          ))}
          {packaging.map(({ id, name, location }) => (
            <li key={id}>
              <NeedRow
                to="/materials/$kind/$materialId"
                params={{ kind: 'packaging', materialId: id }}
                icon="warning"
                tone="waiting"
                name={name}
                sentence={[t('No packaging left: parcels leave without it'), location].filter(Boolean).join(' · ')}
              />
            </li>
          ))}
        </ul>
      )}
      {sick.length > mostHubs && (
        <Text size="sm" mt="xs">
          <LinkText to="/hubs">{t('All hubs, {sick} of which need a person', { sick: sick.length })}</LinkText>
        </Text>
      )}
      {orders !== undefined && orders.nextCursor !== null && (
        <Text size="sm" mt="xs">
          <LinkText to="/orders" search={{ due: 'soon' }}>
            {t('All orders that are late or due soon')}
          </LinkText>
        </Text>
      )}
      {needs.length > mostPrinters && (
        <Text size="sm" mt="xs">
          <LinkText to="/printers" search={{ status: 'needs-person' }}>
            {t('All {needs, plural, one {# printer} other {# printers}} that need a person', { needs: needs.length })}
          </LinkText>
        </Text>
      )}
    </Panel>
  )
}
