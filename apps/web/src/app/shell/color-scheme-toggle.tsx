import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'

const order: readonly MantineColorScheme[] = ['auto', 'light', 'dark']
const shown: Record<MantineColorScheme, { icon: IconName; label: string }> = {
  auto: { icon: 'device', label: t('as this device') },
  light: { icon: 'sun', label: t('light') },
  dark: { icon: 'moon', label: t('dark') },
}

/** Appearance: as the device, light, dark, and round again. */
export function useNextColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const next = order[(order.indexOf(colorScheme) + 1) % order.length] ?? 'auto'
  return { ...shown[colorScheme], change: () => setColorScheme(next) }
}

export function ColorSchemeToggle() {
  const { icon, label, change } = useNextColorScheme()
  return (
    <ActionIcon
      onClick={change}
      size="lg"
      aria-label={t('Appearance: {label}. Change it', { label })}
      title={t('Appearance: {label}', { label })}
    >
      <Icon name={icon} />
    </ActionIcon>
  )
}
