import { Button } from '@mantine/core'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import './control-row.css'

interface ControlRowProps {
  label: string
  icon: IconName
  isBusy?: boolean
  isDangerous?: boolean
  /** The printer waits for it. */
  isWanted?: boolean
  onPress: () => void
}

/** A button for one action that can be asked for now. */
export function ControlRow({ label, icon, isBusy, isDangerous, isWanted, onPress }: ControlRowProps) {
  return (
    <Button
      variant={isWanted ? 'filled' : 'default'}
      className={isDangerous ? 'danger-button' : undefined}
      leftSection={<Icon name={icon} size={16} />}
      loading={isBusy ?? false}
      onClick={onPress}
    >
      {label}
    </Button>
  )
}
