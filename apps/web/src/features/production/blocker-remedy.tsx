import type { PlanBlocker } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'

/** Where a person puts right what keeps units from being made. */
export function BlockerRemedy({ blocker }: { blocker: PlanBlocker }) {
  const { reason, product_sku_id: skuId, material_id: materialId, sku } = blocker
  switch (reason) {
    case 'unmapped':
      return (
        <LinkText to="/orders/unmapped" underline="always" inherit>
          {t('Map the line')}
        </LinkText>
      )
    case 'missing_component':
      return materialId === null ? null : (
        <LinkText
          to="/materials/$kind/$materialId"
          params={{ kind: 'components', materialId }}
          underline="always"
          inherit
        >
          {t('Restock it')}
        </LinkText>
      )
    case 'recipe_fits_no_printer':
      return (
        <LinkText to="/printers" underline="always" inherit>
          {t('Show the printers')}
        </LinkText>
      )
    default:
      return skuId === null ? null : (
        <LinkText to="/skus/$skuId" params={{ skuId }} underline="always" inherit>
          {reason === 'no_recipe' ? t('Add a recipe') : t('Open {sku}', { sku })}
        </LinkText>
      )
  }
}
