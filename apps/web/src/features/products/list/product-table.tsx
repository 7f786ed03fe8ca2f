import { Group, Text } from '@mantine/core'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { thumbnailOf } from '../../../lib/own-address.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Picture } from '../../../ui/lists/picture.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<Product>[] = [
  {
    key: 'name',
    label: t('Product'),
    isTitle: true,
    cell: ({ id, name, category, image_url }) => (
      <Group gap="sm" wrap="nowrap">
        <Picture address={thumbnailOf(image_url)} icon="product" size="row" />
        <div>
          <LinkText to="/products/$productId" params={{ productId: id }} fw={600}>
            {name}
          </LinkText>
          <Text size="sm" c="dimmed" fw={400}>
            {category}
          </Text>
        </div>
      </Group>
    ),
  },
  {
    key: 'skus',
    label: 'SKUs',
    cell: ({ id, skus, kit }) => (
      <>
        <ThingLink id={skus.length === 1 ? skus[0]?.id : id}>
          {t('{skus, plural, one {# SKU} other {# SKUs}}', { skus: skus.length })}
        </ThingLink>
        {kit !== null && t(', a kit')}
      </>
    ),
  },
  {
    key: 'ready',
    label: t('Ready'),
    align: 'right',
    cell: ({ name, skus }) => (
      <LinkText to="/stock" search={{ search: name.slice(0, 120) }} inherit>
        {formatCount(skus.reduce((sum, { stock_level }) => sum + stock_level, 0))}
      </LinkText>
    ),
  },
  {
    key: 'state',
    label: t('State'),
    cell: ({ is_active }) => (
      <StatusBadge tone={is_active ? 'done' : 'away'}>{is_active ? t('In use') : t('Out of use')}</StatusBadge>
    ),
  },
  { key: 'at', label: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
]

interface ProductTableProps extends MorePages {
  products: readonly Product[]
}

export function ProductTable({ products, ...more }: ProductTableProps) {
  return <DataTable label={t('Products')} columns={columns} rows={products} rowKey={({ id }) => id} {...more} />
}
