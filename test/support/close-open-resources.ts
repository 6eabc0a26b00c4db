// Runs in each test file, so that a failed test leaves no server and no child process.
import { afterAll } from '@jest/globals';
import { closeOpenResources } from './open-resources.js';

afterAll(closeOpenResources);
