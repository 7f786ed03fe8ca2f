import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { type LabelItem, writeLabelItems } from './label-items.ts'

interface LabelButtonProps {
  items: readonly LabelItem[]
  label?: string
}

/** Opens the labels of these things, ready to print: `<LabelButton items={[{ kind: 'printer', id }]} />`. */
export function LabelButton({
  items,
  label = items.length === 1 ? t('Print label') : t('Print labels'),
}: LabelButtonProps) {
  return (
    <LinkButton
      to="/labels"
      search={{ items: writeLabelItems(items) }}
      variant="default"
      leftSection={<Icon name="label" size={18} />}
    >
      {label}
    </LinkButton>
  )
}
