import { expose } from 'comlink';
import { CpuThread } from '../cpu/thread.ts';

expose(new CpuThread());
