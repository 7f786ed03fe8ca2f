import { NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import type { NavigationEntry } from '../navigation.ts'
import './area-links.css'

interface AreaLinksProps {
  areas: readonly NavigationEntry[]
  onFollow?: () => void
}

export function AreaLinks({ areas, onFollow }: AreaLinksProps) {
  return areas.map(({ label, icon, path }) => (
    <NavLink
      key={path}
      component={Link}
      to={path}
      activeOptions={{ exact: path === '/' }}
      label={label}
      leftSection={<Icon name={icon} size={18} />}
      className="area-link"
      {...(onFollow && { onClick: onFollow })}
    />
  ))
}

/** The few areas at the bottom edge of a phone. */
export function PhoneLinks({ areas }: Pick<AreaLinksProps, 'areas'>) {
  return areas.map(({ label, phoneLabel = label, icon, path }) => (
    <Link key={path} to={path} activeOptions={{ exact: path === '/' }} className="phone-link">
      <Icon name={icon} />
      <span>{phoneLabel}</span>
    </Link>
  ))
}
