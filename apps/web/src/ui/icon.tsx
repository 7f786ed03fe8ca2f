import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconBuildingFactory2 from '@tabler/icons-react/dist/esm/icons/IconBuildingFactory2.mjs'
import IconBuildingStore from '@tabler/icons-react/dist/esm/icons/IconBuildingStore.mjs'
import IconBuildingWarehouse from '@tabler/icons-react/dist/esm/icons/IconBuildingWarehouse.mjs'
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import IconCategory from '@tabler/icons-react/dist/esm/icons/IconCategory.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconCube3dSphere from '@tabler/icons-react/dist/esm/icons/IconCube3dSphere.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconDeviceTv from '@tabler/icons-react/dist/esm/icons/IconDeviceTv.mjs'
import IconDisc from '@tabler/icons-react/dist/esm/icons/IconDisc.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconPuzzle from '@tabler/icons-react/dist/esm/icons/IconPuzzle.mjs'
import IconQuestionMark from '@tabler/icons-react/dist/esm/icons/IconQuestionMark.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconRouter from '@tabler/icons-react/dist/esm/icons/IconRouter.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconSmartHome from '@tabler/icons-react/dist/esm/icons/IconSmartHome.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTemperature from '@tabler/icons-react/dist/esm/icons/IconTemperature.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ComponentProps } from 'react'

const shapes = {
  overview: IconLayoutDashboard,
  printer: IconCube3dSphere,
  wall: IconDeviceTv,
  queue: IconListNumbers,
  history: IconHistory,
  automation: IconBolt,
  bell: IconBell,
  file: IconFileText,
  hub: IconRouter,
  worklist: IconListCheck,
  order: IconPackage,
  ship: IconTruckDelivery,
  shop: IconBuildingStore,
  home: IconSmartHome,
  report: IconChartBar,
  label: IconTag,
  settings: IconSettings,
  product: IconCategory,
  production: IconBuildingFactory2,
  stock: IconBuildingWarehouse,
  heat: IconTemperature,
  book: IconBook2,
  spool: IconDisc,
  assembly: IconPuzzle,
  user: IconUser,
  users: IconUsers,
  key: IconKey,
  account: IconBuilding,
  audit: IconShieldCheck,
  sun: IconSun,
  moon: IconMoon,
  device: IconDeviceDesktop,
  menu: IconMenu2,
  more: IconDots,
  close: IconX,
  check: IconCheck,
  plus: IconPlus,
  search: IconSearch,
  copy: IconCopy,
  chevron: IconChevronRight,
  down: IconChevronDown,
  up: IconChevronUp,
  back: IconArrowLeft,
  forth: IconArrowRight,
  play: IconPlayerPlay,
  pause: IconPlayerPause,
  stop: IconPlayerStop,
  retry: IconRefresh,
  warning: IconAlertTriangle,
  unknown: IconQuestionMark,
  away: IconWifiOff,
  idle: IconCircle,
  leave: IconLogout,
  upload: IconUpload,
  download: IconDownload,
  trash: IconTrash,
  edit: IconPencil,
  grip: IconGripVertical,
  clock: IconClock,
  camera: IconCamera,
  picture: IconPhoto,
} as const

export type IconName = keyof typeof shapes

interface IconProps extends Omit<ComponentProps<typeof IconCheck>, 'ref' | 'stroke'> {
  name: IconName
}

/** Decoration beside words; a control that shows nothing else needs an `aria-label` of its own. */
export function Icon({ name, size = 20, ...more }: IconProps) {
  const Shape = shapes[name]
  return <Shape size={size} stroke={1.8} aria-hidden="true" focusable="false" {...more} />
}
