import { describeDriver } from '../conformance/describe-driver.ts'
import { describeRunTruth } from '../conformance/describe-run-truth.ts'
import { startBambuPeer } from './bambu-peer.ts'

describeDriver('bambu', startBambuPeer)
describeRunTruth('a P1S', 'bambu', startBambuPeer)
