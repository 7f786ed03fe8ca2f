import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { MaterialForecast } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatDays, formatGrams } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { colorWords } from '../../lib/words/color-words.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { type Purchase, purchasesOf } from './forecast-rows.ts'
import { forecastAddress } from './materials.api.ts'

type FilamentRow = MaterialForecast['filament'][number]
type SpoolRow = MaterialForecast['printers'][number]['spools'][number] & {
  printer_id: string
  printer_name: string
  /** Whether the printer has more spools than this one. */
  hasOthers: boolean
}

/** What must be bought, what filament is needed against what is there, and which loaded spool will run out. */
export function ForecastTables({ forecast }: { forecast: MaterialForecast }) {
  const purchases = purchasesOf(forecast)
  const spools = forecast.printers.flatMap(({ printer_id, printer_name, spools: loaded }) =>
    loaded.map((spool) => ({ ...spool, printer_id, printer_name, hasOthers: loaded.length > 1 })),
  )
  if (purchases.length + forecast.filament.length + spools.length === 0) {
    return (
      <EmptyState icon="check" title={t('Nothing is needed yet')}>
        {t('The needs of queued jobs, open assembly tasks and orders are compared with the stock, once there are any.')}
      </EmptyState>
    )
  }
  return (
    <Stack gap="md">
      <Part
        title={t('To buy')}
        by="purchase"
        isEmpty={purchases.length === 0}
        empty={t('Everything needed is in stock.')}
      >
        <DataTable label={t('To buy')} columns={toBuy} rows={purchases} rowKey={({ key }) => key} />
      </Part>
      <Part
        title={t('Filament')}
        by="filament"
        isEmpty={forecast.filament.length === 0}
        empty={t('No job waits for filament.')}
      >
        <DataTable
          label={t('Filament')}
          columns={filament}
          rows={forecast.filament}
          rowKey={({ type, color, any_color }) => `${type} ${color} ${any_color}`}
        />
      </Part>
      <Part title={t('Spools on printers')} by="printer" isEmpty={spools.length === 0} empty={t('No spool is loaded.')}>
        <DataTable
          label={t('Spools on printers')}
          columns={onPrinters}
          rows={spools}
          rowKey={({ material_id }) => material_id}
        />
      </Part>
    </Stack>
  )
}

interface PartProps {
  title: string
  by: Parameters<typeof forecastAddress>[0]
  isEmpty: boolean
  empty: string
  children: ReactNode
}

function Part({ title, by, isEmpty, empty, children }: PartProps) {
  return (
    <Panel
      title={title}
      actions={
        !isEmpty && (
          <Button
            component="a"
            size="xs"
            variant="default"
            href={forecastAddress(by)}
            download
            aria-label={t('{title}, as CSV', { title })}
            leftSection={<Icon name="download" size={16} />}
          >
            CSV
          </Button>
        )
      }
    >
      {isEmpty ? <Text c="dimmed">{empty}</Text> : children}
    </Panel>
  )
}

const toBuy: Column<Purchase>[] = [
  {
    key: 'what',
    label: t('Material'),
    isTitle: true,
    cell: ({ name, kind, materialId }) =>
      materialId === undefined ? (
        <Text span inherit fw={600}>
          {name}
        </Text>
      ) : (
        <LinkText to="/materials/$kind/$materialId" params={{ kind, materialId }} fw={600}>
          {name}
        </LinkText>
      ),
  },
  { key: 'needed', label: t('Needed'), align: 'right', cell: ({ needed }) => needed },
  { key: 'there', label: t('There'), align: 'right', cell: ({ there }) => there },
  {
    key: 'buy',
    label: t('To buy'),
    align: 'right',
    cell: ({ missing }) => <StatusBadge tone="trouble">{missing}</StatusBadge>,
  },
]

const filament: Column<FilamentRow>[] = [
  {
    key: 'what',
    label: t('Filament'),
    isTitle: true,
    cell: ({ type, color, any_color }) =>
      [type || t('Any type'), any_color ? t('in any colour') : colorWords(color)].filter(Boolean).join(' '),
  },
  { key: 'plates', label: t('Plates'), align: 'right', cell: ({ plates }) => formatCount(plates) },
  {
    key: 'needed',
    label: t('Needed'),
    align: 'right',
    cell: ({ needed_grams, plates_without_weight: unknown }) =>
      unknown > 0
        ? t('{needed_grams}, {unknown} of unknown weight', {
            needed_grams: formatGrams(needed_grams),
            unknown: formatCount(unknown),
          })
        : formatGrams(needed_grams),
  },
  {
    key: 'there',
    label: t('Can be used'),
    align: 'right',
    cell: ({ available_grams }) => formatGrams(available_grams),
  },
  { key: 'daily', label: t('Used a day'), align: 'right', cell: ({ daily_use_grams }) => formatGrams(daily_use_grams) },
  {
    key: 'days',
    label: t('Lasts'),
    align: 'right',
    cell: ({ days_left }) => lastsWords(days_left),
  },
  {
    key: 'buy',
    label: t('To buy'),
    align: 'right',
    cell: ({ to_buy_grams: grams }) =>
      grams > 0 ? <StatusBadge tone="trouble">{formatGrams(grams)}</StatusBadge> : formatGrams(0),
  },
]

/** Beyond that a forecast from the use of some weeks is worth no number. */
const mostDays = 365

function lastsWords(days: number | null): string {
  if (days === null) return '–'
  return days > mostDays ? t('more than a year') : formatDays(days)
}

/** Where a printer has one place for filament, no number tells it from others. */
function spoolWords({ type, color, slot, hasOthers }: Pick<SpoolRow, 'type' | 'color' | 'slot' | 'hasOthers'>): string {
  const spool = [type, colorWords(color)].filter(Boolean).join(' ')
  return hasOthers ? t('{spool}, slot {slot}', { spool, slot }) : spool
}

const runsOut = { running_print: t('In the print that runs'), queued_jobs: t('In jobs that wait for this printer') }

const onPrinters: Column<SpoolRow>[] = [
  {
    key: 'printer',
    label: t('Printer'),
    isTitle: true,
    cell: ({ printer_id, printer_name }) => (
      <LinkText to="/printers/$printerId" params={{ printerId: printer_id }} fw={600}>
        {printer_name}
      </LinkText>
    ),
  },
  {
    key: 'spool',
    label: t('Spool'),
    cell: ({ material_id, type, color, slot, hasOthers }) => (
      <LinkText to="/materials/$kind/$materialId" params={{ kind: 'filament', materialId: material_id }} inherit>
        {spoolWords({ type, color, slot, hasOthers })}
      </LinkText>
    ),
  },
  { key: 'left', label: t('Left'), align: 'right', cell: ({ remaining_grams }) => formatGrams(remaining_grams) },
  {
    key: 'reserved',
    label: t('Print takes'),
    align: 'right',
    cell: ({ reserved_grams }) => formatGrams(reserved_grams),
  },
  { key: 'queued', label: t('Jobs take'), align: 'right', cell: ({ queued_grams }) => formatGrams(queued_grams) },
  {
    key: 'out',
    label: t('Runs out'),
    cell: ({ runs_out_in: when, missing_grams }) =>
      when === null ? (
        t('No')
      ) : (
        <StatusBadge tone={when === 'running_print' ? 'trouble' : 'waiting'}>
          {t('{time}, {missing_grams} short', { time: runsOut[when], missing_grams: formatGrams(missing_grams) })}
        </StatusBadge>
      ),
  },
]
