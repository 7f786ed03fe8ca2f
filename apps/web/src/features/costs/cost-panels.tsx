import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JobCost, OrderCost } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatAmountText } from '../../lib/money.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { CostTable } from './cost-table.tsx'
import { costText, marginText, missingOf } from './cost-words.ts'
import { jobCostQuery, orderCostQuery, skuCostQuery } from './costs.api.ts'
import { UnknownInputs } from './unknown-inputs.tsx'

/** What a unit of a SKU costs, for owners and admins. */
export function SkuCostPanel({ skuId }: { skuId: string }) {
  return (
    <Panel title={t('Cost of a unit')}>
      <QueryView query={useQuery(skuCostQuery(skuId))} failed={t('The cost could not be read')}>
        {({ currency, estimate, actual, good_units }) => (
          <Stack gap="sm">
            <CostTable
              label={t('Cost of a unit')}
              currency={currency}
              costs={[
                { label: t('Planned'), cost: estimate },
                { label: t('Actual'), cost: actual },
              ]}
            />
            {good_units > 0 && (
              <Text size="sm" c="dimmed">
                {t(
                  'The actual cost is that of its latest jobs with {good_units, plural, one {# good unit} other {# good units}}, bad plates included.',
                  { good_units },
                )}
              </Text>
            )}
            <UnknownInputs unknown={missingOf(estimate, actual)} />
          </Stack>
        )}
      </QueryView>
    </Panel>
  )
}

const plateColumns = (currency: string): Column<JobCost['plates'][number]>[] => [
  {
    key: 'plate',
    label: t('Plate'),
    isTitle: true,
    cell: ({ plate }) => t('Plate {plate}', { plate: formatCount(plate) }),
  },
  { key: 'outcome', label: t('It'), cell: ({ outcome }) => outcomeWords[outcome] },
  {
    key: 'printer',
    label: t('Printer'),
    cell: ({ printer_id, printer_name }) => (
      <LinkText to="/printers/$printerId" params={{ printerId: printer_id }}>
        {printer_name}
      </LinkText>
    ),
  },
  {
    key: 'cost',
    label: t('Cost'),
    align: 'right',
    cell: ({ cost }) => costText(cost.known, cost.total !== null, currency),
  },
]

const outcomeWords = { done: t('was done'), failed: t('failed'), cancelled: t('was stopped') } as const

/** What a job was to cost, and what it did, for owners and admins. */
export function JobCostPanel({ jobId }: { jobId: string }) {
  return (
    <Panel title={t('Cost')}>
      <QueryView query={useQuery(jobCostQuery(jobId))} failed={t('The cost could not be read')}>
        {({ currency, estimate, actual, plates, good_units, actual_per_good_unit: unit }) => (
          <Stack gap="sm">
            <CostTable
              label={t('Cost of the job')}
              currency={currency}
              costs={[
                { label: t('A plate as planned'), cost: estimate.plate },
                { label: t('All as planned'), cost: estimate.whole },
                ...(plates.length > 0 ? [{ label: t('Actual so far'), cost: actual }] : []),
              ]}
            />
            {unit !== null && good_units !== null && (
              <Facts
                facts={[
                  [
                    t('A good unit'),
                    t('{costText}, by {good_units, plural, one {# unit} other {# units}}', {
                      costText: costText(unit.known, unit.total !== null, currency),
                      good_units,
                    }),
                  ],
                ]}
              />
            )}
            {plates.length > 0 && (
              <DataTable
                label={t('Cost of plates')}
                columns={plateColumns(currency)}
                rows={plates}
                rowKey={({ attempt_id }) => attempt_id}
              />
            )}
            <UnknownInputs unknown={missingOf(estimate.whole, actual)} />
          </Stack>
        )}
      </QueryView>
    </Panel>
  )
}

type Line = OrderCost['lines'][number]

const lineColumns = (currency: string): Column<Line>[] => {
  const ofCost = ({ cost }: Line['estimate']) => costText(cost.known, cost.total !== null, currency)
  return [
    {
      key: 'line',
      label: t('Line'),
      isTitle: true,
      cell: ({ product_sku_id, name }) => <ThingLink id={product_sku_id}>{name}</ThingLink>,
    },
    { key: 'units', label: t('Units'), align: 'right', cell: ({ units }) => formatCount(units) },
    {
      key: 'revenue',
      label: t('Revenue'),
      align: 'right',
      cell: ({ estimate }) => (estimate.revenue === null ? t('unknown') : formatAmountText(estimate.revenue, currency)),
    },
    { key: 'cost', label: t('Cost'), align: 'right', cell: ({ estimate, actual }) => ofCost(actual ?? estimate) },
    {
      key: 'margin',
      label: t('Margin'),
      align: 'right',
      cell: ({ estimate, actual }) => marginText(actual ?? estimate, currency),
    },
  ]
}

/** What an order earns, for owners and admins. */
export function OrderCostPanel({ orderId }: { orderId: string }) {
  return (
    <Panel title={t('Cost and margin')}>
      <QueryView query={useQuery(orderCostQuery(orderId))} failed={t('The cost could not be read')}>
        {({ currency, estimate, actual, lines }) => (
          <Stack gap="sm">
            <Facts
              isGrid
              facts={[
                [t('Revenue'), estimate.revenue === null ? t('unknown') : formatAmountText(estimate.revenue, currency)],
                [t('Margin as planned'), marginOf(estimate, currency)],
                [t('Margin'), actual && marginOf(actual, currency)],
              ]}
            />
            <CostTable
              label={t('Cost of the order')}
              currency={currency}
              costs={[
                { label: t('Planned'), cost: estimate.cost },
                ...(actual ? [{ label: t('Actual'), cost: actual.cost }] : []),
              ]}
            />
            {lines.length > 1 && (
              <DataTable
                label={t('Margin by line')}
                columns={lineColumns(currency)}
                rows={lines}
                rowKey={({ item_id }) => item_id}
              />
            )}
            <UnknownInputs unknown={missingOf(estimate.cost, ...(actual ? [actual.cost] : []))} />
            <Text size="sm" c="dimmed">
              {t('Revenue is the amount that the customer pays, without tax and shipping.')}
              {actual === null && t(' The actual cost is known once the whole order has left.')}
            </Text>
          </Stack>
        )}
      </QueryView>
    </Panel>
  )
}

function marginOf(margin: OrderCost['estimate'], currency: string): string {
  const percent = margin.margin_percent === null ? '' : `, ${margin.margin_percent} %`
  return `${marginText(margin, currency)}${percent}`
}
