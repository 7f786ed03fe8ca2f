import { Button, Group } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'

interface FormButtonsProps {
  /** The action. */
  label: string
  isBusy: boolean
  isDangerous?: boolean | undefined
  /** There is nothing to do yet. */
  isDisabled?: boolean
  /** Without it the dialog's own cross is the only way out. */
  onCancel?: () => void
  /** What the way out is called. */
  cancelLabel?: string
}

/** At the end of the form of a dialog. */
export function FormButtons({
  label,
  isBusy,
  isDangerous,
  isDisabled,
  onCancel,
  cancelLabel = t('Cancel'),
}: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      {onCancel && (
        <Button variant="default" onClick={onCancel}>
          {cancelLabel}
        </Button>
      )}
      <Button type="submit" loading={isBusy} disabled={isDisabled ?? false} {...(isDangerous && { color: 'red.9' })}>
        {label}
      </Button>
    </Group>
  )
}
