import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AppsModule } from '../../identity/apps/apps.module.js';
import { ScopesModule } from '../../identity/scopes/scopes.module.js';
import { ArtistsModule } from '../../map/artists/artists.module.js';
import { CollectionsModule } from '../../map/collections/collections.module.js';
import { EditsModule } from '../../map/edits/edits.module.js';
import { MarkersModule } from '../../map/markers/markers.module.js';
import { CollectionTools } from './collection.tools.js';
import { EditTools } from './edit.tools.js';
import { MapTools } from './map.tools.js';
import { McpController } from './mcp.controller.js';
import { McpGuard } from './mcp.guard.js';
import { McpServersService } from './mcp-servers.service.js';
import { ToolCallsService } from './tool-calls.service.js';
import { ToolRegistry } from './tool.registry.js';

/** The MCP server: the API as tools for AI agents. */
@Module({
  imports: [AppsModule, ArtistsModule, CollectionsModule, DiscoveryModule, EditsModule, MarkersModule, ScopesModule],
  controllers: [McpController],
  providers: [CollectionTools, EditTools, MapTools, McpGuard, McpServersService, ToolCallsService, ToolRegistry],
})
export class McpModule {}
