import { Icon, type IconName } from '../icon.tsx'
import './picture.css'

interface PictureProps {
  /** Undefined: there is none. */
  address: string | undefined
  /** The sign in its place. */
  icon: IconName
  size: 'row' | 'card' | 'page'
}

/** A picture of a thing whose name stands beside it. */
export function Picture({ address, icon, size }: PictureProps) {
  return (
    <span className="picture" data-size={size}>
      {address === undefined ? (
        <Icon name={icon} size={size === 'row' ? 20 : size === 'card' ? 32 : 48} strokeWidth={1.4} />
      ) : (
        <img src={address} alt="" loading="lazy" decoding="async" />
      )}
    </span>
  )
}
