import { Group, NumberInput, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { ShelfLevel } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { thumbnailOf } from '../../lib/own-address.ts'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { type ShelfBody, useSetShelf } from './production.api.ts'
import { checkLevels } from './shelf-levels.ts'
import './shelf-table.css'

interface ShelfTableProps extends MorePages {
  levels: readonly ShelfLevel[]
  mayWrite: boolean
}

/** The SKUs that are kept on the shelf; their levels are changed in the row and saved when the field is left. */
export function ShelfTable({ levels, mayWrite, ...more }: ShelfTableProps) {
  const columns: Column<ShelfLevel>[] = [
    {
      key: 'sku',
      label: 'SKU',
      isTitle: true,
      cell: ({ product_sku_id, sku, product_name, image_url }) => (
        <Group gap="sm" wrap="nowrap">
          <Picture address={thumbnailOf(image_url)} icon="product" size="row" />
          <div>
            <LinkText to="/skus/$skuId" params={{ skuId: product_sku_id }} fw={600}>
              {sku}
            </LinkText>
            <Text size="sm" c="dimmed" fw={400}>
              {product_name}
            </Text>
          </div>
        </Group>
      ),
    },
    { key: 'ready', label: t('Ready and free'), align: 'right', cell: ({ ready }) => formatCount(ready) },
    { key: 'coming', label: t('On the way'), align: 'right', cell: ({ on_the_way }) => formatCount(on_the_way) },
    { key: 'missing', label: t('Missing'), align: 'right', cell: (level) => <Missing level={level} /> },
    {
      key: 'from',
      label: t('Fill up from'),
      align: 'right',
      cell: (level) => <LevelInput key={level.restock_point} level={level} name="restock_point" mayWrite={mayWrite} />,
    },
    {
      key: 'to',
      label: t('Up to'),
      align: 'right',
      cell: (level) => <LevelInput key={level.restock_to} level={level} name="restock_to" mayWrite={mayWrite} />,
    },
    { key: 'auto', label: t('Queue by itself'), cell: (level) => <AutoSwitch level={level} mayWrite={mayWrite} /> },
  ]
  return (
    <DataTable
      label={t('SKUs that are kept on the shelf')}
      columns={columns}
      rows={levels}
      rowKey={({ product_sku_id }) => product_sku_id}
      {...more}
    />
  )
}

function Missing({ level: { missing, is_makeable, product_sku_id, sku } }: { level: ShelfLevel }) {
  if (missing === 0) return '0'
  if (is_makeable) return <StatusBadge tone="waiting">{formatCount(missing)}</StatusBadge>
  return (
    <>
      <StatusBadge tone="trouble">{t('{missing}, no recipe', { missing: formatCount(missing) })}</StatusBadge>{' '}
      <LinkText
        to="/skus/$skuId"
        params={{ skuId: product_sku_id }}
        size="sm"
        aria-label={t('Add a recipe for {sku}', { sku })}
      >
        {t('Add a recipe')}
      </LinkText>
    </>
  )
}

interface LevelInputProps {
  level: ShelfLevel
  name: 'restock_point' | 'restock_to'
  mayWrite: boolean
}

const labels = { restock_point: t('Fill up from'), restock_to: t('Up to') }

function LevelInput({ level, name, mayWrite }: LevelInputProps) {
  const [value, setValue] = useState<string | number>(level[name])
  const [problem, setProblem] = useState<string>()
  const save = useSetShelf()
  if (!mayWrite) return formatCount(level[name])
  const keep = () => {
    if (Number(value) === level[name] && value !== '') return setProblem(undefined)
    const wanted = { restock_point: level.restock_point, restock_to: level.restock_to, [name]: value }
    const wrong = checkLevels(wanted)
    setProblem(wrong)
    if (wrong !== undefined) return undefined
    return write(save, level, { [name]: Number(value) }, () => setValue(level[name]))
  }
  return (
    <NumberInput
      aria-label={`${labels[name]}, ${level.sku}`}
      className="shelf-level"
      size="xs"
      min={0}
      max={1_000_000}
      allowDecimal={false}
      hideControls
      value={value}
      onChange={setValue}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key === 'Escape') setValue(level[name])
      }}
      error={problem}
      disabled={save.isPending}
    />
  )
}

function AutoSwitch({ level, mayWrite }: { level: ShelfLevel; mayWrite: boolean }) {
  const save = useSetShelf()
  if (!mayWrite) return level.auto_produce ? t('Yes') : t('No')
  return (
    <Switch
      aria-label={t('Queue missing units of {sku} automatically', { sku: level.sku })}
      checked={level.auto_produce}
      disabled={save.isPending}
      onChange={({ currentTarget }) => write(save, level, { auto_produce: currentTarget.checked })}
    />
  )
}

function write(
  save: ReturnType<typeof useSetShelf>,
  { product_sku_id: id, sku }: ShelfLevel,
  body: ShelfBody,
  undo?: () => void,
): void {
  save.mutate(
    { id, body },
    {
      onError: (error) => {
        undo?.()
        toastFailed(t('The shelf of {sku} could not be set', { sku }), error)
      },
    },
  )
}
