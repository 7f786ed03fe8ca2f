import { Text } from '@mantine/core'
import type { AssemblyPart } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { thumbnailOf } from '../../lib/own-address.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import './part-list.css'

/** What to fetch for the units that are left: how many, from where, and what is missing. */
export function PartList({ parts }: { parts: readonly AssemblyPart[] }) {
  return (
    <ul className="plain-list" aria-label={t('Parts')}>
      {parts.map((part) => (
        <ListRow
          key={part.product_sku_id ?? part.material_id}
          before={
            <>
              <span className="part-count">{formatCount(part.needed)} ×</span>
              <Picture
                address={thumbnailOf(part.image_url)}
                icon={part.material_id === null ? 'product' : 'spool'}
                size="row"
              />
            </>
          }
          title={
            <>
              <PartName part={part} />
              {part.missing > 0 && (
                <StatusBadge tone="trouble">
                  {t('{missing} missing', { missing: formatCount(part.missing) })}
                </StatusBadge>
              )}
            </>
          }
          actions={part.bin !== '' && <span className="part-bin">{part.bin}</span>}
        >
          <Text size="sm" c="dimmed">
            {part.material_id === null && part.name !== part.sku ? `${part.name} · ` : ''}
            {t('{per_unit} each, {available} there', {
              per_unit: formatCount(part.per_unit),
              available: formatCount(part.available),
            })}
          </Text>
        </ListRow>
      ))}
    </ul>
  )
}

function PartName({ part: { product_sku_id: skuId, material_id: materialId, sku, name } }: { part: AssemblyPart }) {
  if (skuId !== null) {
    return (
      <LinkText to="/skus/$skuId" params={{ skuId }} fw={600}>
        {sku}
      </LinkText>
    )
  }
  if (materialId === null) return name
  return (
    <LinkText to="/materials/$kind/$materialId" params={{ kind: 'components', materialId }} fw={600}>
      {name}
    </LinkText>
  )
}
