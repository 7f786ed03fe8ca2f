import { Select } from '@mantine/core'
import type { InventoryReport, RevenueReport } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatGrams } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatMoney } from '../../lib/money.ts'
import { LinkText } from '../../ui/link-text.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { DayPanel } from './day-panel.tsx'
import { platformWord } from './platform-words.ts'
import { dayColumn } from './report-columns.tsx'
import type { ReportDays } from './report-search.ts'
import { ReportTable } from './report-table.tsx'
import { csvAddress } from './reports.api.ts'

interface ReportProps<Report> {
  report: Report
  days: ReportDays
}

/** What is short, and what filament was used. */
export function InventoryTables({ report, days }: ReportProps<InventoryReport>) {
  const { summary, low_stock_items, material_usage, usage_trend } = report
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('SKUs that are short'), formatCount(summary.low_stock_skus)],
            [t('Spools that are low'), formatCount(summary.low_filament_spools)],
            [t('Filament types'), formatCount(summary.total_material_types)],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Filament by day')}
        days={usage_trend.map(({ date, usage }) => ({ date, value: usage }))}
        format={formatGrams}
      />
      <ReportTable
        title={t('Short items')}
        columns={[
          {
            key: 'sku',
            label: 'SKU',
            isTitle: true,
            cell: ({ id, sku }) => <ThingLink id={id}>{sku}</ThingLink>,
          },
          { key: 'product', label: t('Product'), cell: ({ product_name }) => product_name },
          { key: 'ready', label: t('Ready'), align: 'right', cell: ({ stock_level }) => formatCount(stock_level) },
          { key: 'low', label: t('Low at'), align: 'right', cell: (each) => formatCount(each.low_stock_threshold) },
        ]}
        rows={low_stock_items}
        rowKey={({ id }) => id}
        csv={csvAddress('inventory', days, 'sku')}
        empty={t('No items are short.')}
      />
      <ReportTable
        title={t('Filament used by type')}
        columns={[
          { key: 'type', label: t('Type'), isTitle: true, cell: ({ material_type }) => material_type },
          { key: 'used', label: t('Used'), align: 'right', cell: ({ total_usage }) => formatGrams(total_usage) },
        ]}
        rows={material_usage}
        rowKey={({ material_type }) => material_type}
        csv={csvAddress('inventory', days, 'material')}
        empty={t('No filament was used in these days.')}
      />
      <ReportTable
        title={t('Filament used by day')}
        columns={[
          dayColumn,
          { key: 'used', label: t('Used'), align: 'right', cell: ({ usage }) => formatGrams(usage) },
        ]}
        rows={usage_trend.filter(({ usage }) => usage > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('inventory', days, 'day')}
        empty={t('No filament was used in these days.')}
      />
    </>
  )
}

interface RevenueProps extends ReportProps<RevenueReport> {
  /** Shows the orders in another currency. */
  onCurrency: (currency: string) => void
}

/** What was earned in one currency, by platform, SKU and day. */
export function RevenueTables({ report, days, onCurrency }: RevenueProps) {
  const { summary, currency, currencies, by_platform, by_sku, daily } = report
  const money = (cents: number) => formatMoney(cents, currency)
  const shown = { ...days, currency }
  const others = currencies.filter((each) => each.currency !== currency)
  const earned: Column<{ orders: number; revenue_cents: number }>[] = [
    { key: 'orders', label: t('Orders'), align: 'right', cell: ({ orders }) => formatCount(orders) },
    { key: 'revenue', label: t('Revenue'), align: 'right', cell: ({ revenue_cents }) => money(revenue_cents) },
  ]
  return (
    <>
      {others.length > 0 && (
        <Select
          label={t('Currency')}
          description={t('Orders in several currencies came in these days. Amounts of two are never summed.')}
          data={[{ currency, orders: summary.order_count }, ...others].map((each) => ({
            value: each.currency,
            label: t('{currency}: {orders, plural, one {# order} other {# orders}}', each),
          }))}
          value={currency}
          allowDeselect={false}
          maw="24rem"
          onChange={(chosen) => chosen !== null && onCurrency(chosen)}
        />
      )}
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Orders'), formatCount(summary.order_count)],
            [t('Revenue'), money(summary.total_revenue_cents)],
            [t('An order on average'), money(summary.average_order_value)],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Revenue by day')}
        days={daily.map(({ date, revenue_cents }) => ({ date, value: revenue_cents }))}
        format={money}
      />
      <ReportTable
        title={t('By platform')}
        columns={[
          {
            key: 'platform',
            label: t('Platform'),
            isTitle: true,
            cell: ({ platform }) => platformWord(platform),
          },
          ...earned,
        ]}
        rows={by_platform}
        rowKey={({ platform }) => platform}
        csv={csvAddress('revenue', shown, 'platform')}
        empty={t('No order came in these days.')}
      />
      <ReportTable
        title={t('By SKU')}
        columns={[
          {
            key: 'sku',
            label: 'SKU',
            isTitle: true,
            cell: ({ sku }) =>
              sku === '' ? (
                <LinkText to="/orders/unmapped">{t('Not mapped to a SKU')}</LinkText>
              ) : (
                <LinkText to="/stock" search={{ search: sku.slice(0, 120) }}>
                  {sku}
                </LinkText>
              ),
          },
          { key: 'units', label: t('Units'), align: 'right', cell: ({ units }) => formatCount(units) },
          ...earned,
        ]}
        rows={by_sku}
        rowKey={({ sku }) => sku}
        csv={csvAddress('revenue', shown, 'sku')}
        empty={t('No order came in these days.')}
      />
      <ReportTable
        title={t('By day')}
        columns={[dayColumn, ...earned]}
        rows={daily.filter(({ orders }) => orders > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('revenue', shown, 'day')}
        empty={t('No order came in these days.')}
      />
    </>
  )
}
