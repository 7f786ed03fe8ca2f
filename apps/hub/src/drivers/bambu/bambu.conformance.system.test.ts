import { describeDriver } from '../conformance/describe-driver.ts'
import { startBambuPeer } from './bambu-peer.ts'

describeDriver('bambu', startBambuPeer)
