import { Button, Stack, Text, Title } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import type { KitPart, Product } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { KitDialog } from './kit-dialog.tsx'

const columns: Column<KitPart>[] = [
  {
    key: 'name',
    label: 'Part',
    isTitle: true,
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { key: 'pieces', label: 'In one kit', align: 'right', cell: ({ quantity_per_kit }) => formatCount(quantity_per_kit) },
  { key: 'color', label: 'Colour', cell: ({ fixed_color }) => fixed_color || 'That of the variant' },
  {
    key: 'file',
    label: 'File',
    cell: ({ print_file_id, file_name }) =>
      print_file_id === null ? (
        '–'
      ) : (
        <LinkText to="/files/$fileId" params={{ fileId: print_file_id }}>
          {file_name ?? 'The file'}
        </LinkText>
      ),
  },
  {
    key: 'skus',
    label: 'Its SKUs, with what is there',
    cell: ({ variants }) =>
      [...new Map(variants.map((each) => [each.child_sku_id, each])).values()].map(
        ({ child_sku_id, child_sku, child_on_hand }, index) => (
          <span key={child_sku_id}>
            {index > 0 && ', '}
            <LinkText to="/skus/$skuId" params={{ skuId: child_sku_id }}>
              {child_sku}
            </LinkText>{' '}
            {formatCount(child_on_hand)}
          </span>
        ),
      ),
  },
  {
    key: 'components',
    label: 'Takes',
    cell: ({ components }) =>
      components.map((each) => `${each.quantity_required} × ${each.component_name}`).join(', ') || '–',
  },
]

interface KitPanelProps extends Pick<ComponentProps<typeof KitDialog>, 'fileInput'> {
  product: Product
}

/** What a product is put together from, when it is a kit; and what makes it one. */
export function KitPanel({ product, fileInput }: KitPanelProps) {
  const mayWrite = useMay('write')
  const [isEditing, setEditing] = useState(false)
  const { kit } = product
  if (kit === null && !mayWrite) return null
  return (
    <Panel
      title="Kit"
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name={kit === null ? 'assembly' : 'edit'} size={16} />}
            onClick={() => setEditing(true)}
          >
            {kit === null ? 'Make it a kit' : 'Edit the kit'}
          </Button>
        )
      }
    >
      {kit === null ? (
        <Text c="dimmed">It has no parts of its own. A kit is put together from parts that have SKUs and stock.</Text>
      ) : (
        <Stack gap="sm">
          <DataTable label="Parts of the kit" columns={columns} rows={kit.parts} rowKey={({ part_id }) => part_id} />
          {kit.bundle_extras.length > 0 && (
            <div>
              <Title order={3}>Goes with every kit</Title>
              <Text>
                {kit.bundle_extras
                  .map(
                    ({ item_name, quantity_required, remaining }) =>
                      `${quantity_required} × ${item_name} (${formatCount(remaining)} there)`,
                  )
                  .join(', ')}
              </Text>
            </div>
          )}
        </Stack>
      )}
      {isEditing && <KitDialog product={product} fileInput={fileInput} onClose={() => setEditing(false)} />}
    </Panel>
  )
}
