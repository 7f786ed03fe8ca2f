import { Button, Text } from '@mantine/core'
import { useId } from 'react'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import './control-row.css'

interface ControlRowProps {
  label: string
  icon: IconName
  /** Why it cannot be done now; undefined: it can. */
  reason?: string | undefined
  isBusy?: boolean
  isDangerous?: boolean
  /** The printer waits for it. */
  isWanted?: boolean
  onPress: () => void
}

/** A button for one action, with the reason beside it while it cannot be done. */
export function ControlRow({ label, icon, reason, isBusy, isDangerous, isWanted, onPress }: ControlRowProps) {
  const id = useId()
  return (
    <div className="control-row">
      <Button
        variant={isWanted && reason === undefined ? 'filled' : 'default'}
        className={isDangerous ? 'danger-button' : undefined}
        leftSection={<Icon name={icon} size={16} />}
        // Not `disabled`: the focus can rest on it, and so the reason is read out.
        data-disabled={reason !== undefined}
        aria-disabled={reason !== undefined}
        loading={isBusy ?? false}
        onClick={reason === undefined ? onPress : undefined}
        aria-describedby={reason === undefined ? undefined : id}
      >
        {label}
      </Button>
      {reason !== undefined && (
        <Text size="sm" c="dimmed" id={id}>
          {reason}
        </Text>
      )}
    </div>
  )
}
