import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SkuBom } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { bomQuery } from '../products.api.ts'
import { BomDialog } from './bom-dialog.tsx'

/** A line of a bill, whatever it names. */
interface BomLine {
  id: string
  name: string
  detail: string
  /** Null: a SKU. */
  kind: 'components' | 'packaging' | null
  needed: number
  there: number
}

const columns: Column<BomLine>[] = [
  {
    key: 'name',
    label: t('Part or component'),
    isTitle: true,
    cell: ({ id, name, detail, kind }) => (
      <>
        {kind === null ? (
          <ThingLink id={id} fw={600}>
            {name}
          </ThingLink>
        ) : (
          <LinkText to="/materials/$kind/$materialId" params={{ kind, materialId: id }} fw={600}>
            {name}
          </LinkText>
        )}
        {detail !== '' && (
          <Text span inherit c="dimmed" fw={400}>
            {' '}
            {detail}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'kind',
    label: t('Kind'),
    cell: ({ kind }) => (kind === null ? 'SKU' : kind === 'packaging' ? t('Packaging') : t('Component')),
  },
  { key: 'needed', label: t('Each takes'), align: 'right', cell: ({ needed }) => formatCount(needed) },
  { key: 'there', label: t('There'), align: 'right', cell: ({ there }) => formatCount(there) },
  {
    key: 'enough',
    label: t('Enough for'),
    align: 'right',
    cell: ({ needed, there }) => formatCount(Math.floor(Math.max(0, there) / needed)),
  },
]

/** The bill of materials of a SKU. */
export function BomPanel({ sku }: { sku: { id: string; sku: string } }) {
  const mayWrite = useMay('write')
  const bom = useQuery(bomQuery(sku.id))
  const [isEditing, setEditing] = useState(false)
  return (
    <Panel
      title={t('Bill of materials')}
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="edit" size={16} />}
            disabled={!bom.data}
            onClick={() => setEditing(true)}
          >
            {t('Edit the bill')}
          </Button>
        )
      }
    >
      <QueryView query={bom} failed={t('The bill of materials could not be read')}>
        {(bill) => {
          const lines = linesOf(bill)
          if (lines.length === 0) {
            return <Text c="dimmed">{t('It has no bill of materials. Most SKUs are printed as they are sold.')}</Text>
          }
          return (
            <>
              <DataTable label={t('Bill of materials')} columns={columns} rows={lines} rowKey={({ id }) => id} />
              {bill.is_composite && (
                <Text size="sm" mt="xs">
                  {t(
                    '{available_to_build, plural, one {# unit} other {# units}} can be put together now. Packaging does not count: it is taken when units are shipped.',
                    { available_to_build: bill.available_to_build },
                  )}
                </Text>
              )}
            </>
          )
        }}
      </QueryView>
      {isEditing && bom.data && <BomDialog sku={sku} bom={bom.data} onClose={() => setEditing(false)} />}
    </Panel>
  )
}

function linesOf({ children, inventory }: SkuBom): BomLine[] {
  return [
    ...children.map((line) => ({
      ...{ id: line.child_sku_id, name: line.child_sku, detail: line.child_color, kind: null },
      needed: line.quantity_required,
      there: line.child_ready_stock,
    })),
    ...inventory.map((line) => ({
      ...{ id: line.inventory_item_id, name: line.item_name, detail: '', kind: line.kind },
      needed: line.quantity_required,
      there: line.remaining,
    })),
  ]
}
